"""Runs a program with a terminal, as a person at a shell has it."""
import os
import pty
import subprocess


def on_a_terminal(command, environment=None, question=None, answer=b"", timeout=300):
    """Answers `question` with `answer` the first time it is shown. Gives the exit code and all that the terminal showed."""
    near, far = pty.openpty()
    process = subprocess.Popen([str(part) for part in command], env=environment, stdin=far, stdout=far, stderr=far, start_new_session=True)
    os.close(far)
    shown, answered = b"", question is None
    try:
        while piece := os.read(near, 65536):
            shown += piece
            if not answered and question in shown:
                answered = True
                os.write(near, answer)
    except OSError:  # the program has ended, and nobody is left at the other end
        pass
    os.close(near)
    return process.wait(timeout=timeout), shown.decode("utf-8", "replace")
