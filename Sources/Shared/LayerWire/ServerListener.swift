import CLinux
import Glibc

/// A server's socket in the file system. Removed with the object.
package final class ServerListener {
    package let descriptor: Int32
    package let path: String
    /// Given up for a moment where no descriptor is left, so that a client can be turned away instead of waiting, and its
    /// connection does not keep the listener busy.
    private var spare: Int32

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
        spare = Self.openSpare()
    }

    private static func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    deinit {
        close(descriptor)
        if spare >= 0 { close(spare) }
        unlink(path)
    }

    /// The next client, non-blocking; nil when none waits. Clients of other users are turned away unread.
    package func accept() -> Int32? {
        while true {
            let fd = clinux_accept(descriptor)
            if fd == -EMFILE || fd == -ENFILE, spare >= 0 {
                close(spare)
                let turnedAway = clinux_accept(descriptor)
                if turnedAway >= 0 { close(turnedAway) }
                spare = Self.openSpare()
                if turnedAway < 0 { return nil }
                continue
            }
            guard fd >= 0 else { return nil }
            var user: UInt32 = .max
            var process: Int32 = 0
            if clinux_peer_user(fd, &user, &process) == 0, user == geteuid() || user == 0 { return fd }
            close(fd)
        }
    }
}

private func isSocket(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFSOCK
}
