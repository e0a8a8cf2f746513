"""What the person (standard error) or the window (JSON lines on standard output) sees of a fetch."""
import json
import os
import sys
import time


def megabytes(count):
    return f"{count / 1e6:,.0f} MB"


def duration(seconds):
    seconds = int(seconds + 0.5)
    return f"{seconds // 60}:{seconds % 60:02d}"


class Report:
    """mode: "auto" (a bar on a terminal, plain lines elsewhere), "plain", "json" or "none"."""

    def __init__(self, mode):
        if mode == "auto":
            mode = "bar" if sys.stderr.isatty() else "plain"
        self.mode = mode
        self.total = 0
        self.done = 0
        self._file = ""
        self._first = None  # (time, bytes) when this process began to receive
        self._shown_at = 0.0
        self._shown_tenth = -1
        self._bar_open = False

    def event(self, event, **fields):
        if self.mode == "json":
            self._write(sys.stdout, json.dumps({"event": event, **fields}) + "\n")

    def say(self, sentence):
        if self.mode in ("bar", "plain"):
            self._end_bar()
            self._write(sys.stderr, sentence + "\n")

    def start(self, total, already):
        self.total, self.done = total, already
        self.event("start", bytes_total=total, bytes_done=already)

    def phase(self, phase, file=""):
        """phase: download, verify or unpack."""
        self._file = file
        self.event("phase", phase=phase, file=file)

    def rewind(self, count):
        self.done -= count
        self._first = None

    def advance(self, count):
        """count more bytes of the whole download have arrived."""
        now = time.monotonic()
        if self._first is None:
            self._first = (now, self.done)
        self.done += count
        finished = self.done >= self.total
        if not finished and now - self._shown_at < 0.2:
            return
        elapsed = now - self._first[0]
        rate = (self.done - self._first[1]) / elapsed if elapsed > 0.05 else 0.0
        eta = (self.total - self.done) / rate if rate > 0 else None
        percent = 100.0 * self.done / self.total if self.total else 100.0
        self._shown_at = now
        if self.mode == "json":
            self.event("progress", phase="download", file=self._file, bytes_done=self.done, bytes_total=self.total,
                       percent=round(percent, 1), bytes_per_second=int(rate),
                       eta_s=None if eta is None else round(eta, 1))
        elif self.mode == "bar":
            filled = int(percent / 100 * 24)
            left = "" if eta is None else f"  {duration(eta)} left"
            self._write(sys.stderr, f"\r\033[K  [{'#' * filled}{'.' * (24 - filled)}] {percent:3.0f} %  "
                                    f"{megabytes(self.done)} of {megabytes(self.total)}  {rate / 1e6:.1f} MB/s{left}")
            self._bar_open = True
        elif self.mode == "plain" and int(percent // 10) != self._shown_tenth:
            self._shown_tenth = int(percent // 10)
            left = "" if eta is None or finished else f", {duration(eta)} left"
            self.say(f"  {percent:.0f} %  {megabytes(self.done)} of {megabytes(self.total)}, {rate / 1e6:.1f} MB/s{left}")

    def fail(self, error):
        self._end_bar()
        self.event("error", code=error.code, message=error.message, hint=error.hint)
        self._write(sys.stderr, f"fetch-libtorch: {error.message} {error.hint}\n")

    def _end_bar(self):
        if self._bar_open:
            self._bar_open = False
            self._write(sys.stderr, "\n")

    @staticmethod
    def _write(stream, text):
        """A reader that has gone away is no reason to stop fetching."""
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
