#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// MARK: Files

int clinux_memfd(const char *name) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return fd < 0 ? -errno : fd;
}

int clinux_seal(int fd, bool writes) {
    int seals = F_SEAL_SHRINK | F_SEAL_GROW;
    if (writes) seals |= F_SEAL_WRITE | F_SEAL_SEAL;
    return fcntl(fd, F_ADD_SEALS, seals) < 0 ? -errno : 0;
}

bool clinux_is_shrink_sealed(int fd) {
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK);
}

bool clinux_is_write_sealed(int fd) {
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_WRITE);
}

int64_t clinux_file_size(int fd) {
    struct stat info;
    return fstat(fd, &info) < 0 ? -errno : (int64_t)info.st_size;
}

static bool is_in_proc(const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash) return false;
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, length);
    folder[length] = 0;
    struct statfs system;
    return statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

int clinux_output_place(const char *path, char *place, size_t size) {
    if (strlen(path) >= PATH_MAX || strlen(path) >= size) return -ENAMETOOLONG;
    strcpy(place, path);
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return 1;
    char current[PATH_MAX], link[PATH_MAX];
    strcpy(current, path);
    for (int hop = 0; hop < 40; hop++) {
        if (lstat(current, &info) < 0 || !S_ISLNK(info.st_mode)) {
            if (strlen(current) >= size) return -ENAMETOOLONG;
            strcpy(place, current);
            return 0;
        }
        if (is_in_proc(current)) return 1;
        ssize_t length = readlink(current, link, sizeof link - 1);
        if (length < 0) return -errno;
        link[length] = 0;
        char *slash = strrchr(current, '/');
        if (link[0] == '/' || !slash) {
            strcpy(current, link);
        } else {
            if ((size_t)(slash + 1 - current) + (size_t)length >= PATH_MAX) return -ENAMETOOLONG;
            strcpy(slash + 1, link);
        }
    }
    return -ELOOP;
}

int clinux_punch_hole(int fd, int64_t offset, int64_t count) {
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count) < 0 ? -errno : 0;
}

int clinux_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : -errno;
}

int clinux_pipe(int *read_end, int *write_end, int capacity) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    // A limit of the user may forbid it; a small pipe is slower and does the same.
    (void)fcntl(ends[1], F_SETPIPE_SZ, capacity);
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

// A file that shrinks under a mapping raises SIGBUS in whoever reads it. The handler jumps out of a guarded copy of its
// own thread and passes anything else on to whoever was there before.
static _Thread_local sigjmp_buf guard;
static _Thread_local volatile sig_atomic_t is_guarded;
static struct sigaction previous_action;
static pthread_once_t install_once = PTHREAD_ONCE_INIT;

static void on_bus_error(int signal, siginfo_t *info, void *context) {
    if (is_guarded) siglongjmp(guard, 1);
    if (previous_action.sa_flags & SA_SIGINFO) {
        previous_action.sa_sigaction(signal, info, context);
    } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
        previous_action.sa_handler(signal);
    } else {
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigaction(signal, &action, NULL);
        raise(signal);
    }
}

static void install_handler(void) {
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &previous_action);
}

int clinux_copy_guarded(void *to, const void *from, size_t count) {
    pthread_once(&install_once, install_handler);
    if (sigsetjmp(guard, 1) != 0) {
        is_guarded = 0;
        return -EFAULT;
    }
    is_guarded = 1;
    memcpy(to, from, count);
    is_guarded = 0;
    return 0;
}

// MARK: Sockets

int clinux_peer_user(int fd, uint32_t *uid, int32_t *pid) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    *uid = credentials.uid;
    *pid = credentials.pid;
    return 0;
}

#define MAX_FDS 64

ssize_t clinux_send(int fd, const void *bytes, size_t count, const int *fds, size_t fd_count) {
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int) * MAX_FDS)];
        struct cmsghdr align;
    } control;
    if (fd_count > MAX_FDS) return -EINVAL;
    if (fd_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * fd_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * fd_count);
        memcpy(CMSG_DATA(header), fds, sizeof(int) * fd_count);
    }
    ssize_t sent;
    do sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

ssize_t clinux_receive(
    int fd, void *bytes, size_t capacity, int *fds, size_t fd_capacity, size_t *fd_count, bool *truncated) {
    struct iovec vector = {.iov_base = bytes, .iov_len = capacity};
    union {
        char bytes[CMSG_SPACE(sizeof(int) * MAX_FDS)];
        struct cmsghdr align;
    } control;
    size_t allowed = fd_capacity < MAX_FDS ? fd_capacity : MAX_FDS;
    struct msghdr message = {
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = CMSG_SPACE(sizeof(int) * allowed),
    };
    *fd_count = 0;
    *truncated = false;
    ssize_t received;
    do received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            if (*fd_count < fd_capacity) {
                fds[(*fd_count)++] = descriptor;
            } else {
                close(descriptor);
                *truncated = true;
            }
        }
    }
    if (message.msg_flags & MSG_CTRUNC) *truncated = true;
    if (*truncated) {
        for (size_t index = 0; index < *fd_count; index++) close(fds[index]);
        *fd_count = 0;
    }
    return received;
}

int clinux_socket_pair(int *a, int *b) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
    *a = pair[0];
    *b = pair[1];
    return 0;
}

static int fill_address(struct sockaddr_un *address, const char *path) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
    strcpy(address->sun_path, path);
    return 0;
}

int clinux_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    int wrong = fill_address(&address, path);
    if (wrong) return wrong;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    mode_t mask = umask(0177);
    int result = bind(fd, (struct sockaddr *)&address, sizeof address);
    int error = errno;
    umask(mask);
    if (result < 0) {
        close(fd);
        return -error;
    }
    if (listen(fd, backlog) < 0) {
        error = errno;
        close(fd);
        unlink(path);
        return -error;
    }
    return fd;
}

int clinux_connect(const char *path) {
    struct sockaddr_un address;
    int wrong = fill_address(&address, path);
    if (wrong) return wrong;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    int result;
    do result = connect(fd, (struct sockaddr *)&address, sizeof address);
    while (result < 0 && errno == EINTR);
    if (result < 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}

int clinux_accept(int fd) {
    int client;
    do client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (client < 0 && errno == EINTR);
    return client < 0 ? -errno : client;
}

int clinux_set_blocking(int fd, bool blocking) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -errno;
    flags = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
    return fcntl(fd, F_SETFL, flags) < 0 ? -errno : 0;
}

size_t clinux_socket_path_limit(void) { return sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

// MARK: Waiting

static short poll_bits(int events) {
    return (short)((events & CLINUX_READABLE ? POLLIN : 0) | (events & CLINUX_WRITABLE ? POLLOUT : 0));
}

int clinux_poll(int fd, int events, int milliseconds) {
    struct pollfd entry = {.fd = fd, .events = poll_bits(events)};
    int count = poll(&entry, 1, milliseconds);
    if (count < 0) return -errno;
    if (count == 0) return 0;
    return (entry.revents & POLLIN ? CLINUX_READABLE : 0) | (entry.revents & POLLOUT ? CLINUX_WRITABLE : 0) |
           (entry.revents & (POLLHUP | POLLERR | POLLNVAL) ? CLINUX_HUNG_UP : 0);
}

int clinux_epoll(void) {
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int clinux_epoll_control(int epoll, int op, int fd, int events, uint64_t key) {
    struct epoll_event event = {
        .events = (events & CLINUX_READABLE ? EPOLLIN : 0u) | (events & CLINUX_WRITABLE ? EPOLLOUT : 0u),
        .data.u64 = key,
    };
    int code = op == 1 ? EPOLL_CTL_ADD : op == 2 ? EPOLL_CTL_MOD : EPOLL_CTL_DEL;
    return epoll_ctl(epoll, code, fd, &event) < 0 ? -errno : 0;
}

int clinux_epoll_wait(int epoll, clinux_event *events, int capacity, int milliseconds) {
    struct epoll_event raw[64];
    int count = epoll_wait(epoll, raw, capacity < 64 ? capacity : 64, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        events[index].key = raw[index].data.u64;
        events[index].events = (raw[index].events & EPOLLIN ? CLINUX_READABLE : 0) |
                               (raw[index].events & EPOLLOUT ? CLINUX_WRITABLE : 0) |
                               (raw[index].events & (EPOLLHUP | EPOLLERR) ? CLINUX_HUNG_UP : 0);
    }
    return count;
}

int clinux_eventfd(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

void clinux_eventfd_signal(int fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {}
}

void clinux_eventfd_clear(int fd) {
    uint64_t count;
    while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {}
}

// MARK: Time, threads, text

uint64_t clinux_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int clinux_thread(const char *name, size_t stack_bytes, void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return -ENOMEM;
    start->body = body;
    start->context = context;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (error) {
        free(start);
        return -error;
    }
    pthread_setname_np(thread, name);
    return 0;
}

const char *clinux_error_text(int error) { return strerror(error); }

int clinux_open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return -errno;
    int count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 3; // ".", ".." and the folder's own
}

int64_t clinux_resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return -errno;
    long long size = 0, resident = 0;
    int fields = fscanf(file, "%lld %lld", &size, &resident);
    fclose(file);
    return fields == 2 ? (int64_t)resident * sysconf(_SC_PAGESIZE) : -EIO;
}

void clinux_trim_heap(void) {
    malloc_trim(0);
}
