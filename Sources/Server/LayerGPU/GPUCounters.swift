/// What an executor has done and holds. Counts since it was made, unless the name says alive.
package struct GPUCounters: Equatable, Sendable {
    package var programsCompiled = 0
    package var programsAlive = 0
    package var passes = 0
    package var draws = 0
    package var quads = 0
    package var copies = 0
    package var imagePixelsUploaded = 0
    package var coveragePixelsUploaded = 0
    package var vertexBytesUploaded = 0
    package var pixelsRead = 0
    package var targetsMade = 0
    /// Targets given to a slot from the pool.
    package var targetsReused = 0

    package var imagesAlive = 0
    package var imageBytesAlive = 0
    /// Pool and roots.
    package var targetsAlive = 0
    package var targetBytesAlive = 0
    package var rootsAlive = 0
    package var coveragePagesAlive = 0
    /// Targets, counted above too, whose pixels stay between frames.
    package var spritesAlive = 0
    package var spriteBytesAlive = 0

    package init() {}
}
