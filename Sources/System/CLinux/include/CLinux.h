// What Swift's Glibc does not show: everything behind _GNU_SOURCE, macros of control messages, guarded copies.
// Every function returns -errno where it fails, and says what it returns otherwise.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Files

/// A new anonymous file that may be sealed: its descriptor.
int clinux_memfd(const char *_Nonnull name);
/// Seals against shrinking and growing; with `writes`, against writing and further seals too: 0.
int clinux_seal(int fd, bool writes);
/// True where the file can't shrink any more.
bool clinux_is_shrink_sealed(int fd);
/// True where nobody can write to the file any more.
bool clinux_is_write_sealed(int fd);
/// Size in bytes.
int64_t clinux_file_size(int fd);
/// Where a file lies that is to be put at a path or in the place of what is there, symbolic links followed, into `place`: 0.
/// 1 where the path leads to what can't be replaced: a pipe, a device, an open descriptor (below /proc). `place` is the
/// path then.
int clinux_output_place(const char *_Nonnull path, char *_Nonnull place, size_t size);
/// Gives the memory of a part of a file back; it reads as zeros: 0.
int clinux_punch_hole(int fd, int64_t offset, int64_t count);
/// Two names change places in one step, files or folders; -EINVAL, -ENOSYS where the file system can't: 0.
int clinux_exchange(const char *_Nonnull one, const char *_Nonnull other);
/// A pipe, close-on-exec, that holds `capacity` bytes where the system allows it, else what it gives: 0.
int clinux_pipe(int *_Nonnull read_end, int *_Nonnull write_end, int capacity);
/// Copies `count` bytes; -EFAULT where the memory went away meanwhile (a mapped file shrank): 0.
int clinux_copy_guarded(void *_Nonnull to, const void *_Nonnull from, size_t count);

// MARK: Sockets

/// User of the process at the other end: 0.
int clinux_peer_user(int fd, uint32_t *_Nonnull uid, int32_t *_Nonnull pid);
/// Sends bytes and descriptors: bytes sent.
ssize_t clinux_send(
    int fd, const void *_Nonnull bytes, size_t count, const int *_Nullable fds, size_t fd_count);
/// Receives bytes and up to `fd_capacity` descriptors, close-on-exec: bytes received, 0 at the end. Where descriptors
/// were cut off (`truncated`), those that came are closed.
ssize_t clinux_receive(
    int fd, void *_Nonnull bytes, size_t capacity, int *_Nonnull fds, size_t fd_capacity,
    size_t *_Nonnull fd_count, bool *_Nonnull truncated);
/// Connected pair of stream sockets: 0.
int clinux_socket_pair(int *_Nonnull a, int *_Nonnull b);
/// A stream socket, close-on-exec, bound and listening at a path with mode 0600: its descriptor.
int clinux_listen(const char *_Nonnull path, int backlog);
/// A stream socket connected to a path: its descriptor.
int clinux_connect(const char *_Nonnull path);
/// The next connection, close-on-exec and non-blocking: its descriptor.
int clinux_accept(int fd);
int clinux_set_blocking(int fd, bool blocking);
/// Longest path of a Unix socket.
size_t clinux_socket_path_limit(void);

// MARK: Waiting

/// Waits for a descriptor: bits of CLINUX_READABLE, CLINUX_WRITABLE, CLINUX_HUNG_UP; 0 after `milliseconds`.
int clinux_poll(int fd, int events, int milliseconds);
int clinux_epoll(void);
/// op: 1 add, 2 change, 3 remove.
int clinux_epoll_control(int epoll, int op, int fd, int events, uint64_t key);
typedef struct {
    uint64_t key;
    int events;
} clinux_event;
/// Number of events.
int clinux_epoll_wait(int epoll, clinux_event *_Nonnull events, int capacity, int milliseconds);
int clinux_eventfd(void);
void clinux_eventfd_signal(int fd);
void clinux_eventfd_clear(int fd);

#define CLINUX_READABLE 1
#define CLINUX_WRITABLE 2
#define CLINUX_HUNG_UP 4

// MARK: Time, threads, text

uint64_t clinux_monotonic_nanoseconds(void);
/// Starts a detached thread with a stack of `stack_bytes`: 0.
int clinux_thread(
    const char *_Nonnull name, size_t stack_bytes, void (*_Nonnull body)(void *_Nullable), void *_Nullable context);
/// What an errno means.
const char *_Nonnull clinux_error_text(int error);
/// Descriptors that are open in this process.
int clinux_open_descriptors(void);
/// Resident bytes of this process.
int64_t clinux_resident_bytes(void);
/// Gives memory that was freed back to the system, so that the resident bytes are what is in use.
void clinux_trim_heap(void);
