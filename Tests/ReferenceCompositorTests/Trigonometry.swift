import Glibc

func cosine(_ angle: Double) -> Double { cos(angle) }
func sine(_ angle: Double) -> Double { sin(angle) }
