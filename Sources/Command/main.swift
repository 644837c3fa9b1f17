import Rostrum

let arguments = CommandLine.arguments
let document = try SceneDocument.load(path: arguments[1], options: .init())
let display = try HeadlessDisplay(
    width: document.size.width, height: document.size.height, scale: 2, background: document.background)
document.rootLayer.isGeometryFlipped = !document.isGeometryFlipped
display.rootLayer.addSublayer(document.rootLayer)
print(try display.capture(at: nil, [.plan]).reply.plan)
try display.writePNG(to: arguments[2])
