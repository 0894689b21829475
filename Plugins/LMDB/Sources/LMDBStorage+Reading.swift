public import StrataCore

extension EngineStorage where Engine == LMDBEngine {
  /// Reads a value in place in the map, without copying it. Returns `nil` if it is missing or expired.
  ///
  /// ```swift
  /// let width = try images.withBytes(forKey: "logo") { $0.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt32.self) }
  /// ```
  ///
  /// Useful for values of many kilobytes of which only a part is needed. The bytes do not change while the closure
  /// runs, whatever is written meanwhile. Until then LMDB keeps all pages that are replaced, in all processes, and the
  /// map cannot grow. So be quick, and do not block inside. Writing to a store in the same folder from inside the
  /// closure throws `.deadlock`. Errors of the closure are rethrown.
  public func withBytes<R>(forKey key: Key, _ body: (RawSpan) throws -> R) throws -> R? {
    // Only these lines depend on the result type; the rest is compiled once.
    var result: Result<R, any Error>?
    try explaining("read the entry", key) {
      try engine.withBytes(of: key.storageKey) { bytes in result = Result { try body(bytes.bytes) } }
    }
    return try result?.get()
  }
}
