// Names of Core Foundation that Apple's code casts to, for values that are Swift's own here.

import Foundation

/// Any value: `layer.font = "Helvetica" as CFTypeRef`.
public typealias CFTypeRef = Any
public typealias CFString = String
/// `colors as CFArray`.
public typealias CFArray = [Any]
public typealias CFData = Data
