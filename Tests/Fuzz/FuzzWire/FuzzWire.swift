import LayerWire

/// What libFuzzer calls, with bytes it made up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzzDecode(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
