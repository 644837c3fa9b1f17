import Foundation
import Quartz2D

extension Verb {
    static let compare = Verb(
        "compare", "Say whether two pictures are the same, and where they differ.",
        operands: ["A", "B"],
        flags: [
            Flag("output", letter: "o", value: "FILE", "Write a PNG that shows where they differ; - is stdout."),
            Flag(
                "tolerance", value: "N",
                "How many levels of 255 a channel may differ by. Default 0."),
            .json,
        ],
        notes: """
            Exit code 0: the same; 1: they differ, in size or in a pixel by more than the tolerance.
            Pixels are compared premultiplied: what an invisible pixel's color is does not count.
            In the diff, red differs, blue is in one picture only, gray is the same.
            """,
        examples: [
            Example("rostrum compare expected.png actual.png", "One line that says what differs."),
            Example(
                "rostrum compare expected.png actual.png --tolerance 2 -o diff.png",
                "Up to two levels are the same; the rest is shown in diff.png."),
        ]
    ) { arguments in
        let tolerance = try arguments.integer("tolerance", in: 0...255) ?? 0
        let diff = try arguments.isSet("output") ? OutputFile(arguments.required("output")) : nil
        let isJSON = arguments.isSet("json")
        guard !isJSON || diff?.isStandardOutput != true else {
            throw CommandFailure.usage("-o - and --json both want stdout", help: "give -o a file")
        }
        for operand in arguments.operands {
            try OutputFile.refuseSharing([diff.map { OutputFile.Named("-o", $0) }], input: operand)
        }
        try diff?.check()
        return try CommandFailure.explaining {
            let first = try CGImage(contentsOf: arguments.operands[0])
            let second = try CGImage(contentsOf: arguments.operands[1])
            let result = ImageComparison.compare(first, second, tolerance: tolerance)
            if let diff {
                try diff.write(ImageComparison.diffImage(first, second, tolerance: tolerance).pngData())
            }
            if isJSON {
                try Console.result(json(result).line + "\n")
            } else if diff?.isStandardOutput == true {
                Console.say("\(result)\n")
            } else {
                try Console.result("\(result)\n")
            }
            return result.isMatch ? .done : .differs
        }
    }

    private static func json(_ result: ImageComparison) -> JSONText {
        .object([
            ("match", .bool(result.isMatch)), ("sizes", .array([size(result.firstSize), size(result.secondSize)])),
            ("tolerance", .integer(result.tolerance)), ("differing_pixels", .integer(result.differingPixels)),
            ("maximum_difference", .integer(result.maximumDifference)),
            ("mean_difference", .number(result.meanDifference)),
            (
                "bounding_box",
                result.boundingBox.map { box in
                    .object([
                        ("x", .integer(Int(box.minX))), ("y", .integer(Int(box.minY))),
                        ("width", .integer(Int(box.width))), ("height", .integer(Int(box.height))),
                    ])
                } ?? .null
            ),
        ])
    }

    private static func size(_ size: CGSize) -> JSONText {
        .array([.integer(Int(size.width)), .integer(Int(size.height))])
    }
}
