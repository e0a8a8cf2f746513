"""The one way a fetch ends badly: a code for programs, a sentence for people, and what to do next."""


class FetchError(Exception):
    def __init__(self, code, message, hint, exit_code=5):
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.exit_code = exit_code


def disk_error(error, path):
    """An OSError met while writing, as a FetchError."""
    import errno
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return FetchError("disk_full", f"The disk is full: {path} could not be written ({error.strerror}).",
                          "Make room, or point XDG_CACHE_HOME to another disk, and run this again: what has come down is kept.")
    return FetchError("not_writable", f"{path} could not be written ({error.strerror}).",
                      "Check who owns the folder, or point XDG_CACHE_HOME to one you may write to.")
