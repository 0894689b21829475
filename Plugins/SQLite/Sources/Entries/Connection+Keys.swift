import StrataCore

extension Connection {
  /// Hands on a statement whose first parameter is a key. The key stays in place until `body` is done.
  func use<R>(_ query: Query, _ key: [UInt8], _ body: (borrowing Statement) throws -> R) throws -> R {
    try use(query) { statement in
      try key.withUnsafeBufferPointer { bytes in
        try statement.bind(text: bytes, at: 1)
        return try body(statement)
      }
    }
  }
}

extension String {
  /// Whether these are the bytes by which the key is stored and found.
  var isCanonical: Bool { canonicalUTF8.elementsEqual(utf8) }
}
