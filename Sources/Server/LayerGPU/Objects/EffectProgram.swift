import CGraphics
import LayerModel
import LayerRender

/// A variant of the effects' program.
struct EffectVariant: Hashable {
    enum Kind: String {
        case taps, resample, average, matrix, premultiplied, threshold, variable, disc, means, squares, cut, divide,
            extend
    }

    var kind: Kind
    /// Places lie between pixels, across or down.
    var isBetweenX = false
    var isBetweenY = false
    var edges: DrawEffect.Edges

    init(_ effect: DrawEffect) {
        edges = effect.edges
        switch effect.kind {
        case .taps(let stepX, let stepY, _), .variableTaps(let stepX, let stepY, _, _, _):
            isBetweenX = !(effect.scaleX == 1 && effect.offsetX.isWhole && stepX.isWhole)
            isBetweenY = !(effect.scaleY == 1 && effect.offsetY.isWhole && stepY.isWhole)
            if case .taps = effect.kind { kind = .taps } else { kind = .variable }
        case .resample:
            isBetweenX = !(effect.scaleX == 1 && effect.offsetX.isWhole)
            isBetweenY = !(effect.scaleY == 1 && effect.offsetY.isWhole)
            kind = .resample
        case .average: kind = .average
        case .colorMatrix: kind = .matrix
        case .premultipliedMatrix: kind = .premultiplied
        case .alphaThreshold: kind = .threshold
        case .variableDisc: kind = .disc
        case .gridMeans: kind = .means
        case .gridSquares: kind = .squares
        case .cut: kind = .cut
        case .divide: kind = .divide
        case .extend:
            isBetweenX = true
            isBetweenY = true
            kind = .extend
        }
    }

    var words: [String] {
        var words = [kind.rawValue.uppercased()]
        if isBetweenX { words.append("BETWEEN_X") }
        if isBetweenY { words.append("BETWEEN_Y") }
        switch edges {
        case .transparent: break
        case .nearest: words.append("NEAREST")
        case .normalized: words.append("NORMALIZED")
        }
        return words
    }

    var label: String { (["effect"] + words).joined(separator: " ") }
}

/// One program of an effect. Effects are few in a frame: everything is told anew each time.
struct EffectProgram {
    let name: GLuint
    /// The frame that last drew with it.
    var lastFrame = 0
    private let isBetween: Bool
    private var places: [String: GLint] = [:]

    private static let uniforms = [
        "toClip", "source", "toPlace", "stride", "count", "middle", "weights", "cell", "matrix", "threshold",
        "deviation", "across", "down", "backX", "backY", "first", "rows", "inset", "shape",
        "reach",
    ]

    /// - Parameter name: A linked program.
    init(name: GLuint, _ variant: EffectVariant, _ gl: GraphicsTable) {
        self.name = name
        isBetween = variant.isBetweenX || variant.isBetweenY
        for uniform in Self.uniforms { places[uniform] = gl.glGetUniformLocation(name, uniform) }
    }

    private func place(_ uniform: String) -> GLint { places[uniform] ?? -1 }

    /// Uses the program for a target of `size` pixels.
    ///
    /// - Parameter current: The name of the program in use.
    func use(
        _ effect: DrawEffect, target size: PixelSize, _ order: PixelOrder, _ gl: GraphicsTable,
        _ current: inout GLuint
    ) {
        if current != name {
            gl.glUseProgram(name)
            current = name
        }
        gl.glUniform4f(place("toClip"), 2 / Float(size.width), 2 / Float(size.height), -1, -1)
        gl.glUniform4f(place("toPlace"), effect.scaleX, effect.scaleY, effect.offsetX, effect.offsetY)
        let source = effect.source
        gl.glUniform4i(
            place("source"), GLint(clamping: source.minX), GLint(clamping: source.minY),
            GLint(clamping: source.maxX - 1), GLint(clamping: source.maxY - 1))
        switch effect.kind {
        case .taps(let stepX, let stepY, let weights):
            setStride(stepX, stepY, gl)
            gl.glUniform1f(place("middle"), weights[0])
            var sides = Array(weights.dropFirst())
            while sides.count % 4 != 0 { sides.append(0) }
            gl.glUniform1i(place("count"), GLint(sides.count))
            gl.glUniform4fv(place("weights"), GLsizei(sides.count / 4), sides)
        case .resample: break
        case .average(let width, let height):
            gl.glUniform2i(place("cell"), Self.length(width), Self.length(height))
        case .colorMatrix(let matrix), .premultipliedMatrix(let matrix):
            let columns = order.stored(matrix: matrix)
            gl.glUniform4fv(place("matrix"), 5, columns)
        case .alphaThreshold(let threshold):
            // Alphas are whole levels, give or take what a float loses.
            gl.glUniform1f(place("threshold"), threshold * 255 - 0.01)
        case .variableTaps(let stepX, let stepY, let sigma, _, let map):
            setStride(stepX, stepY, gl)
            let steps = (sigma * 3).rounded(.up)
            let most = Float(DrawEffect.maximumWeights)
            gl.glUniform1i(place("count"), steps > 0 ? GLint(min(steps, most)) : 0)
            gl.glUniform1f(place("deviation"), sigma)
            set(map, "across", "down", gl)
        case .variableDisc(let disc, _, let map):
            gl.glUniform4f(place("shape"), disc.xx, disc.xy, disc.yy, 0)
            let most = DrawEffect.maximumVariableReach
            gl.glUniform2i(place("reach"), GLint(min(max(disc.reachX, 0), most)), GLint(min(max(disc.reachY, 0), most)))
            set(map, "across", "down", gl)
        case .gridMeans(let toGrid, let fromGrid, let first):
            set(toGrid, "across", "down", gl)
            set(fromGrid, "backX", "backY", gl)
            gl.glUniform2i(place("first"), GLint(clamping: first.x), GLint(clamping: first.y))
        case .gridSquares(let toGrid, let first):
            set(toGrid, "across", "down", gl)
            gl.glUniform2i(place("first"), GLint(clamping: first.x), GLint(clamping: first.y))
        case .cut(let toUnit, let rows, let weights):
            set(toUnit, "across", "down", gl)
            gl.glUniform2i(place("rows"), GLint(clamping: rows), GLint(clamping: weights))
        case .divide(let rows):
            gl.glUniform2i(place("rows"), GLint(clamping: rows), 0)
        case .extend(let toUnit, let fromUnit, let insetX, let insetY):
            set(toUnit, "across", "down", gl)
            set(fromUnit, "backX", "backY", gl)
            gl.glUniform2f(place("inset"), insetX, insetY)
        }
    }

    private func set(_ map: DrawEffect.PlaneMap, _ across: String, _ down: String, _ gl: GraphicsTable) {
        gl.glUniform4f(place(across), map.xx, map.xy, map.x0, 0)
        gl.glUniform4f(place(down), map.yx, map.yy, map.y0, 0)
    }

    private func setStride(_ x: Float, _ y: Float, _ gl: GraphicsTable) {
        if isBetween {
            gl.glUniform2f(place("stride"), x, y)
        } else {
            gl.glUniform2i(place("stride"), GLint(x), GLint(y))
        }
    }

    /// A cell's side: at least a pixel, and small enough to add to a place.
    private static func length(_ length: Int) -> GLint { GLint(min(max(length, 1), 1 << 28)) }
}

extension PixelOrder {
    /// Four rows of five, as the program wants them: four rows of four, then what is added.
    fileprivate func stored(matrix: [Float]) -> [Float] {
        let channels = self == .swapped ? [2, 1, 0, 3] : [0, 1, 2, 3]
        var stored: [Float] = []
        for row in channels {
            for column in channels { stored.append(matrix[row * 5 + column]) }
        }
        for row in channels { stored.append(matrix[row * 5 + 4]) }
        return stored
    }
}

extension Float {
    /// A whole number of pixels.
    fileprivate var isWhole: Bool { self == rounded() && abs(self) < 0x1p20 }
}
