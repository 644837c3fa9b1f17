// Pixels and long commits travel as anonymous files, sealed so that nobody can take the bytes away while they are read.

import CLinux
import Glibc
import LayerModel

package enum SealedFile {
    /// An image whose bytes somebody else's process reads: a new file, filled, sealed against every change and mapped.
    ///
    /// The storage owns the descriptor; it is sent, not copied, when the image is committed.
    package static func storage(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> PixelStorage {
        let fd = clinux_memfd("rostrum-pixels")
        guard fd >= 0 else { throw SystemError("memfd_create", -fd) }
        do {
            try allocate(fd, count)
            let memory = try map(fd, count, writable: true)
            do { try fill(UnsafeMutableRawBufferPointer(start: memory, count: count)) } catch {
                munmap(memory, max(count, 1))
                throw error
            }
            munmap(memory, max(count, 1))
            let sealed = clinux_seal(fd, true)
            guard sealed == 0 else { throw SystemError("F_ADD_SEALS", -sealed) }
            return try storage(mapping: fd, offset: 0, count: count)
        } catch {
            close(fd)
            throw error
        }
    }

    /// A copy of bytes in a sealed file.
    package static func storage(copying bytes: UnsafeRawBufferPointer) throws -> PixelStorage {
        try storage(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// Maps a part of a file for reading and takes its descriptor over.
    private static func storage(mapping fd: Int32, offset: Int, count: Int) throws -> PixelStorage {
        let start = offset / pageSize * pageSize
        let length = max(count + offset - start, 1)
        let memory = mmap(nil, length, PROT_READ, MAP_SHARED, fd, start)
        guard let memory, memory != MAP_FAILED else { throw SystemError("mmap", errno) }
        nonisolated(unsafe) let base = memory
        return PixelStorage(
            base: UnsafeRawPointer(memory + (offset - start)), count: count, descriptor: fd,
            release: {
                munmap(base, length)
                close(fd)
            })
    }

    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    private static func allocate(_ fd: Int32, _ count: Int) throws {
        guard ftruncate(fd, off_t(max(count, 1))) == 0 else { throw SystemError("ftruncate", errno) }
    }

    private static func map(_ fd: Int32, _ count: Int, writable: Bool) throws -> UnsafeMutableRawPointer {
        let memory = mmap(nil, max(count, 1), writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0)
        guard let memory, memory != MAP_FAILED else { throw SystemError("mmap", errno) }
        return memory
    }

    /// Maps what a client sent, for as long as the storage lives, and closes nothing of the caller's.
    ///
    /// A file that can still be written is read in place (the client only spoils its own picture); one that can still
    /// shrink is refused.
    package static func received(
        _ fd: Int32, offset: UInt64, count: Int
    ) throws(ProtocolError) -> PixelStorage {
        guard clinux_is_shrink_sealed(fd) else {
            throw ProtocolError(.badDescriptor, "the descriptor is no file sealed with F_SEAL_SHRINK")
        }
        let size = clinux_file_size(fd)
        guard let position = Int(exactly: offset), size >= 0, position <= Int(size), count <= Int(size) - position else {
            throw ProtocolError(
                .badDescriptor, "the file has \(max(size, 0)) bytes; \(count) from byte \(offset) on are needed")
        }
        let start = position / pageSize * pageSize
        let length = max(count + position - start, 1)
        let memory = mmap(nil, length, PROT_READ, MAP_SHARED, fd, start)
        guard let memory, memory != MAP_FAILED else {
            throw ProtocolError(.badDescriptor, "the file can't be mapped: \(String(cString: clinux_error_text(errno)))")
        }
        nonisolated(unsafe) let base = memory
        return PixelStorage(base: UnsafeRawPointer(memory + (position - start)), count: count) { munmap(base, length) }
    }
}

/// Memory for frames that server and client both map: it can neither shrink nor grow.
package final class FrameBuffer: @unchecked Sendable {
    package let id: UInt32
    package let descriptor: Int32
    package let memory: UnsafeMutableRawPointer
    package let count: Int

    /// A new buffer, writable.
    package init(id: UInt32, count: Int) throws {
        let fd = clinux_memfd("rostrum-frame")
        guard fd >= 0 else { throw SystemError("memfd_create", -fd) }
        guard ftruncate(fd, off_t(count)) == 0, clinux_seal(fd, false) == 0,
            let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), memory != MAP_FAILED
        else {
            let error = errno
            close(fd)
            throw SystemError("a frame of \(count) bytes", error)
        }
        self.id = id
        self.memory = memory
        self.count = count
        descriptor = fd
    }

    /// The client's view of a buffer it received: read-only; takes the descriptor over.
    package init(id: UInt32, mapping fd: Int32, count: Int) throws(ProtocolError) {
        guard clinux_is_shrink_sealed(fd), clinux_file_size(fd) >= Int64(count), count > 0,
            let memory = mmap(nil, count, PROT_READ, MAP_SHARED, fd, 0), memory != MAP_FAILED
        else {
            close(fd)
            throw ProtocolError(.badDescriptor, "the frame's memory can't be mapped")
        }
        self.id = id
        self.memory = memory
        self.count = count
        descriptor = fd
    }

    deinit {
        munmap(memory, count)
        close(descriptor)
    }
}

/// A system call that failed.
package struct SystemError: Error, Sendable, CustomStringConvertible {
    package var call: String
    package var code: Int32

    package init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(String(cString: clinux_error_text(code)))" }
}
