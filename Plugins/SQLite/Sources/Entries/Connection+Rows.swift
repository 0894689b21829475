#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A stored row.
struct Row {
  let id: Int64
  let entry: Entry<Data>
}

extension Connection {
  /// Passes a kept statement, whose first parameter is the key, to `body`. The key stays in place until `body` is done.
  func use<R>(_ query: Query, _ text: String, _ body: (borrowing Statement) throws -> R) throws -> R {
    try use(query) { statement in
      try text.withCanonicalUTF8 { key in
        try statement.bind(text: key, at: 1)
        return try body(statement)
      }
    }
  }

  func find(_ text: String) throws -> Row? {
    try use(.find, text) { row in
      guard try row.step() else { return nil }
      return Row(id: row.integer(0), entry: Entry(object: try row.data(2), expiry: try row.expiry(1)))
    }
  }

  /// Returns the expiry of a row, or `nil` if there is none. Does not read its value.
  func expiry(of text: String) throws -> Expiry? {
    try use(.findExpiry, text) { row in try row.step() ? row.expiry(0) : nil }
  }

  /// Calls `body` with the keys of the rows that have not expired, from some bytes on, or with all keys in any order.
  ///
  /// Keys in a non-canonical form, written by other programs, have no text, because no read could find them.
  func eachKey(from position: [UInt8]?, validAt now: Double, _ body: SQLiteEngine.KeyVisitor) throws {
    try use(position == nil ? .listKeys : .listKeysInOrder) { row in
      try row.bind(now, at: 1)
      try (position ?? []).withUnsafeBufferPointer { start in
        if position != nil { try row.bind(text: start, at: 2) }
        while try row.step() {
          let text = try row.text(0)
          if try !body(row.bytes(0), text?.isCanonical == true ? text : nil) { return }
        }
      }
    }
  }

  /// Returns the single number that a query yields.
  func integer(_ query: Query) throws -> Int {
    try use(query) { row in try row.step() ? Int(row.integer(0)) : 0 }
  }
}

extension Statement {
  /// Returns the expiry in a column of seconds since 1970; NULL is never.
  func expiry(_ column: Int32) throws(SQLiteError) -> Expiry {
    guard let seconds = try number(column) else { return .never }
    return .date(Date(timeIntervalSince1970: seconds))
  }
}

extension String {
  /// Whether the string has the bytes by which keys are stored and found.
  var isCanonical: Bool { withCanonicalUTF8 { $0.elementsEqual(utf8) } }
}
