import StrataCore

extension Connection {
  /// Passes a kept statement, whose first parameter is the key, to `body`. The key stays in place until `body` is done.
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
  /// Whether the string has the bytes by which keys are stored and found.
  var isCanonical: Bool { canonicalUTF8.elementsEqual(utf8) }
}
