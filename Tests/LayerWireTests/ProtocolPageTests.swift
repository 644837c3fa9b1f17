import Foundation
import LayerModel
import Testing

@testable import LayerWire

@Suite("docs/wire-protocol.md")
struct ProtocolPageTests {
    private let page: String

    init() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        page = try String(contentsOf: package.appendingPathComponent("docs/wire-protocol.md"), encoding: .utf8)
    }

    private func expectRow(_ name: String, _ number: Int) {
        #expect(page.contains("| `\(name)` | \(number) |"), "no row for \(name), number \(number)")
    }

    private func expectName(_ number: UInt8, _ name: String) {
        // A line may end between the two.
        let words = page.replacingOccurrences(of: "\n", with: " ")
        let found = words.ranges(of: "\(number) \(name)").contains { range in
            range.upperBound == words.endIndex || !words[range.upperBound].isLetter
        }
        #expect(found, "\(number) \(name)")
    }

    @Test("Every message, op, property and code has a row with its number")
    func rows() {
        for type in MessageType.allCases { expectRow("\(type)", Int(type.rawValue)) }
        for op in OpCode.allCases { expectRow("\(op)", Int(op.rawValue)) }
        for property in LayerProperty.allCases { expectRow(property.key, Int(property.rawValue)) }
        for code in ProtocolError.Code.allCases { expectRow("\(code)", Int(code.rawValue)) }
        for code in TransactionError.Code.allCases { expectRow("\(code)", Int(code.rawValue) + 100) }
    }

    @Test("Every property's kind and every kind's number is there")
    func kinds() {
        for property in LayerProperty.allCases {
            let row = "| `\(property.key)` | \(property.rawValue) | \(property.kind) |"
            #expect(page.contains(row), "\(row)")
            #expect(page.contains("| \(property.kind) | \(property.kind.rawValue) |"), "\(property.kind)")
        }
    }

    @Test("Every code of an enumeration is named")
    func enumerations() {
        for gravity in ContentsGravity.allCases { #expect(page.contains("\(gravity.rawValue) \(gravity)")) }
        for filter in ContentsFilter.allCases { #expect(page.contains("\(filter.rawValue) \(filter)")) }
        for curve in CornerCurve.allCases { #expect(page.contains("\(curve.rawValue) \(curve)")) }
        for mode in CompositingMode.allCases { expectName(mode.rawValue, "\(mode)") }
        for kind in LayerFilter.Kind.allCases { expectName(kind.rawValue, "\(kind)") }
        for input in LayerFilter.Input.allCases { expectName(input.rawValue, "\(input)") }
        for layerClass in LayerClass.allCases { expectName(layerClass.rawValue, "\(layerClass)") }
    }

    @Test("Every limit has a row with its default")
    func limits() {
        for child in Mirror(reflecting: WireLimits()).children {
            #expect(page.contains("\n| `\(child.label ?? "")` | "), "\(child.label ?? "")")
        }
        let limits = WireLimits()
        #expect(page.contains("| `messageBytes` | \(limits.messageBytes >> 20) MiB |"))
        #expect(page.contains("| `commitBytes` | \(limits.commitBytes >> 20) MiB |"))
        #expect(page.contains("| `imageBytes` | \(limits.imageBytes >> 20) MiB |"))
        #expect(page.contains("| `unreadBytes` | \(limits.unreadBytes >> 20) MiB |"))
        for (name, value) in [
            ("messageDescriptors", Int(limits.messageDescriptors)), ("credits", Int(limits.credits)),
            ("frames", Int(limits.frames)), ("sessions", Int(limits.sessions)),
        ] {
            #expect(page.contains("| `\(name)` | \(value) |"), "\(name) \(value)")
        }
        #expect(page.contains("| `patience` | \(Int(limits.patience)) s |"))
        #expect(page.contains("\(RecordingFormat.messageBytes >> 20) MiB"))
        #expect(page.contains("verbs, at most 131,072 |") && WireLimits.pathVerbs == 131_072)
        #expect(page.contains("count, at most \(WireLimits.filters); as many filters"))
        #expect(page.contains("count, at most \(WireLimits.filterNumbers), as many"))
    }

    @Test("Fixed fields lie where the page says")
    func offsets() throws {
        var random = RandomMessages(seed: 1)
        // The text that ends the fixed part is preceded by its length: its offset is the payload without the text.
        let welcome = payload(.welcome(Welcome(limits: random.limits(), serverName: "x")))
        #expect(welcome.count == 56 + 4 + 1)
        let fault = payload(.fault(Fault(code: 1, isFatal: true, serial: 1, message: "x")))
        #expect(fault.count == 19 + 4 + 1)
        let frame = payload(
            .frame(
                FrameReply(
                    time: 0, width: 1, height: 1, bytesPerRow: 4, buffer: 0, isUnchanged: false, passesDrawn: 0,
                    planNanoseconds: 0, drawNanoseconds: 0, plan: "x", passes: [], degradations: [])))
        #expect(frame.count == 45 + 4 + 1 + 4 + 4 + 4)
        #expect(payload(.phases(CommitPhases())).count == 40)
        let hello = payload(
            .hello(Hello(clientName: "x", width: 1, height: 1, scale: 1, isFlipped: true, background: .clear)))
        #expect(hello.count == 8 + 4 + 1 + 17 + 32)
    }
}
