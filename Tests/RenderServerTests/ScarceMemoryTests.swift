import CLinux
import Foundation
import LayerModel
import LayerWire
import RenderServer
import TestFiles
import Testing

extension ServerTests {
    /// The machine gives the process no more memory.
    @Suite("No memory left")
    struct ScarceMemoryTests {
        @Test(
            "Images, frames and commits that the process has no memory for are refused; others draw, and so does the same later"
        )
        func addressSpace() async {
            await #expect(processExitsWith: .success) {
                let server = try LiveServer(patience: 5, render: RenderConfiguration())
                let witness = try Witness(server)
                let client = try RawClient(server)
                try client.greet()
                guard client.capture()?.frame != nil else { throw ServerError("no first frame") }
                let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[0]
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
                let all = limit
                limit.rlim_cur = rlim_t(Int(pages)! * sysconf(Int32(_SC_PAGESIZE)) + 96 << 20)
                setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)

                /// The fault of a commit, and that the session goes on.
                func refusal(_ payload: [UInt8], _ file: NamedFile) throws -> Fault {
                    let serial = client.commit(raw: payload, descriptors: [file.descriptor])
                    guard let answer = client.capture(), let frame = answer.frame, let fault = answer.faults.first,
                        fault.serial == serial, !fault.isFatal
                    else { throw ServerError("not refused") }
                    client.release(frame)
                    return fault
                }
                // Too large to be mapped; mapped, but too large for a texture beside it.
                let large = NamedFile(bytes: 128 << 20, sealed: true)
                let mapped = try refusal(
                    commitPayload(imageOp(1, width: 8_192, height: 4_096, row: 32_768)), large)
                guard mapped.code == ProtocolError.Code.badDescriptor.rawValue else { throw ServerError("\(mapped)") }
                let texture = try refusal(
                    commitPayload(imageOp(1, width: 4_096, height: 4_096, row: 16_384)), large)
                guard texture.code == TransactionError.Code.imageTooLarge.rawValue + 100,
                    texture.message.contains("out of memory")
                else { throw ServerError("\(texture)") }

                // A commit in a file that could be mapped, and not decoded.
                client.send(3, bytes { $0.write(UInt32(60 << 20)) }, descriptors: [large.descriptor], serial: 900)
                guard let long = client.capture(), long.frame != nil,
                    long.faults.map(\.code) == [ProtocolError.Code.limit.rawValue]
                else { throw ServerError("a commit of 60 MiB") }

                // A display whose root can't be made.
                let wide = try RawClient(server)
                var hello = RawClient.hello
                (hello.width, hello.height) = (8_192, 4_096)
                try wide.greet(hello)
                for _ in 0..<3 {
                    guard let answer = wide.capture(), answer.frame == nil, answer.faults.count == 1,
                        [ProtocolError.Code.graphics, .limit].map(\.rawValue).contains(answer.faults[0].code)
                    else { throw ServerError("a display of 128 MiB") }
                }
                try witness.check(alone: false)

                var restored = all
                restored.rlim_cur = all.rlim_max
                setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &restored)
                guard wide.capture()?.frame != nil else { throw ServerError("the display, with memory again") }
                client.commit(
                    raw: commitPayload(imageOp(2, width: 4_096, height: 4_096, row: 16_384)),
                    descriptors: [large.descriptor])
                guard client.capture()?.faults.isEmpty == true else {
                    throw ServerError("the image, with memory again")
                }
                large.close()
                client.vanish()
                wide.vanish()
                server.waitForSessions(1)
                // The driver said that it had no memory, so this can't ask whether it said anything.
                try witness.check(alone: false)
                guard let held = server.server.holdings(), held.graphics.imagesAlive == 1,
                    held.graphics.rootsAlive == 1,
                    held.outOfMemory >= 4
                else { throw ServerError("something is left over") }
                server.server.stop()
            }
        }
    }
}
