import CLinux
import Glibc

/// A server's socket in the file system. Removed with the object.
package final class ServerListener {
    package let descriptor: Int32
    package let path: String

    /// Binds with mode 0600. A socket that a dead server left is taken over; one that answers is not.
    package init(path: String) throws {
        self.path = path
        var fd = clinux_listen(path, 64)
        if fd == -EADDRINUSE {
            let probe = clinux_connect(path)
            if probe >= 0 {
                close(probe)
                throw SystemError("a render server runs at \(path) already", EADDRINUSE)
            }
            guard probe == -ECONNREFUSED, isSocket(path) else { throw SystemError(path, EADDRINUSE) }
            unlink(path)
            fd = clinux_listen(path, 64)
        }
        guard fd >= 0 else { throw SystemError("the socket \(path)", -fd) }
        descriptor = fd
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The next client, non-blocking; nil when none waits. Clients of other users are turned away unread.
    package func accept() -> Int32? {
        let fd = clinux_accept(descriptor)
        guard fd >= 0 else { return nil }
        var user: UInt32 = .max
        var process: Int32 = 0
        guard clinux_peer_user(fd, &user, &process) == 0, user == geteuid() || user == 0 else {
            close(fd)
            return accept()
        }
        return fd
    }
}

private func isSocket(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFSOCK
}
