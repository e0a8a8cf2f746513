/* Makes the n-th write to a file fail, so that "nothing is lost" can be tested for every n.
 *
 * Two ways to use it: link a test with plumbline_failing_writes and call plumbline_fail_writes(), or start a program with
 * LD_PRELOAD set to it and
 *   PLUMBLINE_FAIL_WRITE=n          the n-th counted call fails, from 1
 *   PLUMBLINE_FAIL_ERRNO=ENOSPC     or EIO; ENOSPC unless given
 *   PLUMBLINE_FAIL_ALWAYS=1         every later one fails too, as on a disk that stays full
 *   PLUMBLINE_FAIL_PATH=text        only files whose path contains it are counted
 *   PLUMBLINE_FAIL_COUNT_FILE=path  how many calls were counted is written there at exit
 *   PLUMBLINE_KILL_AT_WRITE=n       kills the program at the n-th counted call instead; of a write, half is done by then
 *
 * plumbline_at_write() calls a function there, and the call then goes on.
 *
 * Counted are write, pwrite, writev, fsync, fdatasync, ftruncate on regular files, opening a file to write, mkdir and
 * rename. A failing write writes nothing. Where the shim is, syncing is counted but not done: a killed process loses nothing of the page cache, and tests
 * that try every n are ten times faster. What the C library writes for its own streams (fwrite) cannot be caught this way. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

static atomic_long g_fail_at;
static atomic_long g_count;
static atomic_int g_errno;
static atomic_int g_always;
static char g_path[4096];
static atomic_long g_call_at;
static void (*g_call)(void);

/* Arms the shim: the n-th counted call from now fails with `error`, later ones too when `always`. n = 0 counts only. */
EXPORTED void plumbline_fail_writes(long n, int error, int always, const char* path) {
    atomic_store(&g_fail_at, 0);
    strncpy(g_path, path != NULL ? path : "", sizeof g_path - 1);
    atomic_store(&g_errno, error);
    atomic_store(&g_always, always);
    atomic_store(&g_count, 0);
    atomic_store(&g_fail_at, n);
}

/* Arms the shim: `call` is made at the n-th counted call from now; of a write, half is done by then. */
EXPORTED void plumbline_at_write(long n, void (*call)(void), const char* path) {
    atomic_store(&g_call_at, 0);
    plumbline_fail_writes(0, 0, 0, path);
    g_call = call;
    atomic_store(&g_call_at, n);
}

static void kill_this_process(void) { kill(getpid(), SIGKILL); }

/* Calls counted since the shim was armed. */
EXPORTED long plumbline_counted_writes(void) { return atomic_load(&g_count); }

__attribute__((constructor)) static void start(void) {
    const char* n = getenv("PLUMBLINE_FAIL_WRITE");
    const char* error = getenv("PLUMBLINE_FAIL_ERRNO");
    const char* always = getenv("PLUMBLINE_FAIL_ALWAYS");
    plumbline_fail_writes(n != NULL ? atol(n) : 0, error != NULL && strcmp(error, "EIO") == 0 ? EIO : ENOSPC,
                          always != NULL && *always == '1', getenv("PLUMBLINE_FAIL_PATH"));
    const char* killed = getenv("PLUMBLINE_KILL_AT_WRITE");
    if (killed != NULL) {
        plumbline_at_write(atol(killed), kill_this_process, getenv("PLUMBLINE_FAIL_PATH"));
    }
}

__attribute__((destructor)) static void end(void) {
    const char* file = getenv("PLUMBLINE_FAIL_COUNT_FILE");
    const long count = atomic_load(&g_count);
    if (file != NULL) {
        atomic_store(&g_fail_at, 0);
        FILE* out = fopen(file, "w");
        if (out != NULL) {
            fprintf(out, "%ld\n", count);
            fclose(out);
        }
    }
}

/* Set for the time of a write to a file that is counted: what does half of it. */
static _Thread_local ssize_t (*t_write)(int, const void*, size_t);
static _Thread_local int t_fd;
static _Thread_local const void* t_data;
static _Thread_local size_t t_size;
static _Thread_local ssize_t t_done;

static int must_fail(void) {
    const long at = atomic_load(&g_fail_at);
    const long now = atomic_fetch_add(&g_count, 1) + 1;
    if (now == atomic_load(&g_call_at)) {
        if (t_write != NULL && t_size > 1) {
            t_done = t_write(t_fd, t_data, t_size / 2);
        }
        g_call();
    }
    if (at > 0 && (now == at || (now > at && atomic_load(&g_always)))) {
        errno = atomic_load(&g_errno);
        return 1;
    }
    return 0;
}

static int descriptor_must_fail(int fd) {
    struct stat info;
    char link[64];
    char path[4096];
    if (fd <= 2 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        return 0;
    }
    if (g_path[0] != '\0') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        const ssize_t length = readlink(link, path, sizeof path - 1);
        if (length < 0) {
            return 0;
        }
        path[length] = '\0';
        if (strstr(path, g_path) == NULL) {
            return 0;
        }
    }
    return must_fail();
}

#define REAL(type, name, ...)                                         \
    static type (*real)(__VA_ARGS__);                                 \
    if (real == NULL) {                                               \
        real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name);          \
    }

EXPORTED ssize_t write(int fd, const void* data, size_t size) {
    REAL(ssize_t, "write", int, const void*, size_t)
    t_write = real;
    t_fd = fd;
    t_data = data;
    t_size = size;
    t_done = 0;
    const int fails = descriptor_must_fail(fd);
    t_write = NULL;
    /* What is half done is a short write: its caller goes on with the rest. */
    return fails ? -1 : t_done > 0 ? t_done : real(fd, data, size);
}
EXPORTED ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
    REAL(ssize_t, "pwrite", int, const void*, size_t, off_t)
    return descriptor_must_fail(fd) ? -1 : real(fd, data, size, offset);
}
EXPORTED ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void*, size_t, off64_t)
    return descriptor_must_fail(fd) ? -1 : real(fd, data, size, offset);
}
EXPORTED ssize_t writev(int fd, const struct iovec* parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec*, int)
    return descriptor_must_fail(fd) ? -1 : real(fd, parts, count);
}
EXPORTED int fsync(int fd) {
    return descriptor_must_fail(fd) ? -1 : 0;
}
EXPORTED int fdatasync(int fd) {
    return descriptor_must_fail(fd) ? -1 : 0;
}
EXPORTED int ftruncate(int fd, off_t size) {
    REAL(int, "ftruncate", int, off_t)
    return descriptor_must_fail(fd) ? -1 : real(fd, size);
}
EXPORTED int ftruncate64(int fd, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t)
    return descriptor_must_fail(fd) ? -1 : real(fd, size);
}
EXPORTED int mkdir(const char* path, mode_t mode) {
    REAL(int, "mkdir", const char*, mode_t)
    return (strstr(path, g_path) != NULL && must_fail()) ? -1 : real(path, mode);
}

static int opening_must_fail(const char* path, int flags) {
    struct stat info;
    if ((flags & O_ACCMODE) == O_RDONLY || strstr(path, g_path) == NULL) {
        return 0;
    }
    return (stat(path, &info) != 0 || S_ISREG(info.st_mode)) && must_fail();
}

/* O_TMPFILE is made of other flags; none of them is O_CREAT. */
#define MODE_OF(flags, mode)                                          \
    if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list rest;                                                 \
        va_start(rest, flags);                                        \
        mode = va_arg(rest, mode_t);                                  \
        va_end(rest);                                                 \
    }

EXPORTED int open(const char* path, int flags, ...) {
    REAL(int, "open", const char*, int, ...)
    mode_t mode = 0;
    MODE_OF(flags, mode)
    return opening_must_fail(path, flags) ? -1 : real(path, flags, mode);
}
EXPORTED int open64(const char* path, int flags, ...) {
    REAL(int, "open64", const char*, int, ...)
    mode_t mode = 0;
    MODE_OF(flags, mode)
    return opening_must_fail(path, flags) ? -1 : real(path, flags, mode);
}
EXPORTED int rename(const char* from, const char* to) {
    REAL(int, "rename", const char*, const char*)
    return (strstr(to, g_path) != NULL && must_fail()) ? -1 : real(from, to);
}
