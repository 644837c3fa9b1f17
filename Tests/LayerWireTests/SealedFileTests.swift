import CLinux
import Glibc
import LayerModel
import LayerWire
import Testing

@Suite("Sealed files", .serialized)
struct SealedFileTests {
    /// A file of `count` bytes that is not sealed.
    private func file(_ count: Int) -> Int32 {
        let fd = clinux_memfd("test")
        #expect(ftruncate(fd, off_t(count)) == 0)
        return fd
    }

    private func fault(_ fd: Int32, offset: UInt64 = 0, count: Int) -> ProtocolError.Code? {
        do {
            _ = try SealedFile.received(fd, offset: offset, count: count)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A file that can shrink is refused, as is anything that is no such file")
    func unsealed() {
        let fd = file(4_096)
        defer { close(fd) }
        #expect(fault(fd, count: 4_096) == .badDescriptor)
        #expect(clinux_seal(fd, false) == 0)
        #expect(fault(fd, count: 4_096) == nil)
        for path in ["/dev/null", "/dev/zero", "/proc/self/exe", "/"] {
            let other = open(path, O_RDONLY)
            defer { close(other) }
            #expect(fault(other, count: 1) == .badDescriptor, "\(path)")
        }
        #expect(fault(-1, count: 1) == .badDescriptor)
        var (a, b): (Int32, Int32) = (-1, -1)
        #expect(clinux_socket_pair(&a, &b) == 0)
        #expect(fault(a, count: 1) == .badDescriptor)
        close(a)
        close(b)
    }

    @Test("Bytes beyond the end are refused, however the numbers are chosen")
    func beyond() {
        let fd = file(10_000)
        defer { close(fd) }
        #expect(clinux_seal(fd, false) == 0)
        #expect(fault(fd, count: 10_000) == nil)
        #expect(fault(fd, offset: 9_999, count: 1) == nil)
        for (offset, count) in [
            (0, 10_001), (1, 10_000), (10_000, 1), (.max, 1), (UInt64(Int64.max), 1), (UInt64(Int64.max), .max),
            (0, .max),
        ] as [(UInt64, Int)] {
            #expect(fault(fd, offset: offset, count: count) == .badDescriptor, "\(count) bytes from \(offset) on")
        }
    }

    @Test("An offset inside a page reads from there")
    func offsets() throws {
        let fd = file(10_000)
        defer { close(fd) }
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(pwrite(fd, bytes, bytes.count, 0) == bytes.count)
        #expect(clinux_seal(fd, true) == 0)
        let storage = try SealedFile.received(fd, offset: 4_099, count: 500)
        #expect(storage.withBytes { Array($0) } == Array(bytes[4_099..<4_599]))
    }

    @Test("Our own pixels can be changed by nobody, and their descriptor goes with them")
    func own() throws {
        let fd: Int32
        do {
            let storage = try [1, 2, 3, 4].withUnsafeBytes { try SealedFile.storage(copying: $0) }
            #expect(clinux_is_shrink_sealed(storage.descriptor) && clinux_is_write_sealed(storage.descriptor))
            fd = storage.descriptor
            #expect(ftruncate(fd, 0) != 0)
            #expect(write(storage.descriptor, [9], 1) < 0)
        }
        // Closed, or already another file of another test.
        #expect(!clinux_is_write_sealed(fd))
    }

    @Test("A guarded copy of memory that its file no longer backs says so; nothing dies, and later copies work")
    func guardedCopy() throws {
        let size = 3 * 4_096
        let fd = file(size)
        defer { close(fd) }
        let memory = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, fd, 0))
        defer { munmap(memory, size) }
        var copy = [UInt8](repeating: 1, count: size)
        #expect(clinux_copy_guarded(&copy, memory, size) == 0)
        #expect(copy == [UInt8](repeating: 0, count: size))
        #expect(ftruncate(fd, 4_096) == 0)
        #expect(clinux_copy_guarded(&copy, memory, size) == -EFAULT)
        #expect(clinux_copy_guarded(&copy, memory, 4_096) == 0)
        #expect(ftruncate(fd, 0) == 0)
        for _ in 0..<3 { #expect(clinux_copy_guarded(&copy, memory, 1) == -EFAULT) }
        #expect(ftruncate(fd, off_t(size)) == 0)
        #expect(clinux_copy_guarded(&copy, memory, size) == 0)
    }

    @Test("A sealed file can't shrink under a mapping")
    func seal() {
        let fd = file(4_096)
        defer { close(fd) }
        #expect(clinux_seal(fd, false) == 0)
        #expect(ftruncate(fd, 0) != 0)
        #expect(errno == EPERM)
    }

    @Test("A frame's memory is writable for its maker only through its own mapping, and can't shrink")
    func frameMemory() throws {
        let frame = try FrameBuffer(id: 3, count: 8_192)
        #expect(ftruncate(frame.descriptor, 0) != 0)
        #expect(ftruncate(frame.descriptor, 16_384) != 0)
        let view = try FrameBuffer(id: 3, mapping: dup(frame.descriptor), count: 8_192)
        frame.memory.storeBytes(of: 7, toByteOffset: 8_191, as: UInt8.self)
        #expect(view.memory.load(fromByteOffset: 8_191, as: UInt8.self) == 7)
        #expect(throws: ProtocolError.self) { try FrameBuffer(id: 3, mapping: dup(frame.descriptor), count: 8_193) }
    }
}
