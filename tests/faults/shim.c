/* Counts the calls of this process that change files below a folder, and fails one of them, all
   after it, or dies there.

   cc -shared -fPIC -O2 -o shim.so shim.c -ldl
   LD_PRELOAD=shim.so: Python, its extension modules and Rust's standard library call these
   functions of the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT = 0, ONCE = 1, FULL = 2, DEAD = 3, KILL = 4 };
/* What a call needs: room on the disk, or only the disk itself. */
enum { OTHER = 0, ROOM = 1 };

static atomic_long count;
static long at;
static int mode, number;
static char root[PATH_MAX];
static size_t length;

/* Fail, or count, from now on: the n-th call from here. */
void faults_arm(long n, int how, int error, const char *folder) {
    at = n;
    mode = how;
    number = error;
    snprintf(root, sizeof root, "%s", folder);
    length = strlen(root);
    atomic_store(&count, 0);
}

long faults_count(void) { return atomic_load(&count); }

static int below(const char *path) {
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_ours_fd(int file) {
    char link[64], path[PATH_MAX];
    if (length == 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return below(path);
}

static int is_ours(int folder, const char *name) {
    char path[2 * PATH_MAX];
    if (length == 0 || name == NULL) return 0;
    if (name[0] == '/') return below(name);
    if (folder != AT_FDCWD) return is_ours_fd(folder);
    return getcwd(path, sizeof path) != NULL && below(path);
}

/* Whether this call fails; `errno` is set then. */
static int fails(int need) {
    long now = atomic_fetch_add(&count, 1) + 1;
    if (mode == KILL && now == at) {
        kill(getpid(), SIGKILL);
        pause();
    }
    if ((mode == ONCE && now == at) || (mode == DEAD && now >= at) ||
        (mode == FULL && now >= at && need == ROOM)) {
        errno = number;
        return 1;
    }
    return 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t bits = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;                  \
        va_end(rest);                                                                              \
        static int (*real)(const char *, int, ...);                                                \
        if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);         \
        if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && is_ours(AT_FDCWD, path) &&                  \
            fails((flags & O_CREAT) ? ROOM : OTHER))                                               \
            return -1;                                                                             \
        return real(path, flags, bits);                                                            \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    int name(int folder, const char *path, int flags, ...) {                                       \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t bits = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;                  \
        va_end(rest);                                                                              \
        static int (*real)(int, const char *, int, ...);                                           \
        if (real == NULL) real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name);    \
        if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && is_ours(folder, path) &&                    \
            fails((flags & O_CREAT) ? ROOM : OTHER))                                               \
            return -1;                                                                             \
        return real(folder, path, flags, bits);                                                    \
    }
OPENAT(openat)
OPENAT(openat64)

#define CALL(type, name, parameters, arguments, ours, need)                                        \
    type name parameters {                                                                         \
        static type(*real) parameters;                                                             \
        if (real == NULL) real = (type(*) parameters)dlsym(RTLD_NEXT, #name);                      \
        if ((ours) && fails(need)) return -1;                                                      \
        return real arguments;                                                                     \
    }

CALL(ssize_t, writev, (int file, const struct iovec *parts, int n), (file, parts, n),
     is_ours_fd(file), ROOM)
CALL(ssize_t, pwrite, (int file, const void *data, size_t size, off_t offset),
     (file, data, size, offset), is_ours_fd(file), ROOM)
CALL(ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t offset),
     (file, data, size, offset), is_ours_fd(file), ROOM)
CALL(int, ftruncate, (int file, off_t size), (file, size), is_ours_fd(file), OTHER)
CALL(int, ftruncate64, (int file, off64_t size), (file, size), is_ours_fd(file), OTHER)
CALL(int, fsync, (int file), (file), is_ours_fd(file), ROOM)
CALL(int, fdatasync, (int file), (file), is_ours_fd(file), ROOM)
CALL(int, rename, (const char *from, const char *to), (from, to), is_ours(AT_FDCWD, from), OTHER)
CALL(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to),
     is_ours(a, from), OTHER)
CALL(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
     (a, from, b, to, flags), is_ours(a, from), OTHER)
CALL(int, unlink, (const char *path), (path), is_ours(AT_FDCWD, path), OTHER)
CALL(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags),
     is_ours(folder, path), OTHER)
CALL(int, rmdir, (const char *path), (path), is_ours(AT_FDCWD, path), OTHER)
CALL(int, mkdir, (const char *path, mode_t bits), (path, bits), is_ours(AT_FDCWD, path), ROOM)
CALL(int, mkdirat, (int folder, const char *path, mode_t bits), (folder, path, bits),
     is_ours(folder, path), ROOM)
CALL(int, symlink, (const char *to, const char *path), (to, path), is_ours(AT_FDCWD, path), ROOM)
CALL(int, link, (const char *from, const char *path), (from, path), is_ours(AT_FDCWD, path), ROOM)
CALL(ssize_t, sendfile64, (int to, int from, off64_t *offset, size_t size),
     (to, from, offset, size), is_ours_fd(to), ROOM)
CALL(ssize_t, sendfile, (int to, int from, off_t *offset, size_t size), (to, from, offset, size),
     is_ours_fd(to), ROOM)
CALL(ssize_t, copy_file_range,
     (int from, off64_t *a, int to, off64_t *b, size_t size, unsigned flags),
     (from, a, to, b, size, flags), is_ours_fd(to), ROOM)

/* A disk that fills up takes half of what is written to it first. */
ssize_t write(int file, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (real == NULL) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (is_ours_fd(file)) {
        long before = atomic_load(&count);
        if (fails(ROOM)) {
            if (mode == FULL && before + 1 == at && size > 1) return real(file, data, size / 2);
            return -1;
        }
    }
    return real(file, data, size);
}
