"""Where packages come from on this machine. pip is asked, so that a mirror, a proxy or a certificate set up for it holds here."""
import ast
import dataclasses
import subprocess
import sys

from errors import FetchError


@dataclasses.dataclass
class PipSettings:
    indexes: list  # addresses of simple indexes, the one to ask first in front
    cert: str = ""  # a file of certificate authorities
    proxy: str = ""


def pip(*arguments):
    """Arguments that run pip with this Python."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]


def read():
    listing = subprocess.run(pip("config", "list"), capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        if "No module named pip" in listing.stderr:
            raise FetchError("no_pip", "pip for Python 3 is missing, which knows where packages come from.",
                             "Install it (Debian, Ubuntu: sudo apt install python3-pip) and run this again.")
        raise FetchError("pip", f"pip could not read its settings ({last_line(listing.stderr)}).",
                         "See what `python3 -m pip config list` says.")
    values = {}
    for line in listing.stdout.splitlines():
        key, separator, text = line.partition("=")
        if separator:
            try:
                values[key.strip()] = str(ast.literal_eval(text))
            except (ValueError, SyntaxError):
                values[key.strip()] = text

    def setting(name):
        # pip's own order: environment, then the command's section, then the global one.
        for section in (":env:.", "download.", "global."):
            if values.get(section + name):
                return values[section + name]
        return ""

    indexes = [setting("index-url") or default_index()] + setting("extra-index-url").split()
    return PipSettings([index.rstrip("/") + "/" for index in indexes if index], setting("cert"), setting("proxy"))


def default_index():
    """The index pip uses when nothing is set."""
    code = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else ""


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no reason given"
