import Glibc

// The few functions of the C library that the model needs, in one place.

@inline(__always) func sine(_ angle: Double) -> Double { sin(angle) }
@inline(__always) func cosine(_ angle: Double) -> Double { cos(angle) }
@inline(__always) func arcSine(_ value: Double) -> Double { asin(min(max(value, -1), 1)) }
@inline(__always) func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
@inline(__always) func cubeRoot(_ value: Double) -> Double { cbrt(value) }
