#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// An engine that stores bytes under bytes, in the order of the keys. It is the only part of a backend that its author
/// writes.
///
/// ```swift
/// final class TableEngine: KeyValueEngine {
///   func read<R>(
///     _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R
///   ) throws -> R? {
///     try table.record(of: Array(key)).map { try $0.withUnsafeBytes(body) }
///   }
///   func write(_ changes: [EngineChange]) throws {
///     try table.transaction { for change in changes { $0[change.key] = change.record } }
///   }
///   func scan(from key: UnsafeRawBufferPointer, _ body: Visitor) throws {
///     for (key, record) in try table.records(from: Array(key)) {
///       guard try key.withUnsafeBytes({ key in try record.withUnsafeBytes { try body(key, $0) } }) else { return }
///     }
///   }
///   func close() { table.close() }
/// }
/// ```
///
/// `EngineStorage` is a store over it, and implements keys of any text, expiry, limits, batches, conditional writes,
/// sharing within a process, and errors. The engine implements the four functions without a default.
///
/// Every function may be called by several threads at once. `explained(_:)` converts a thrown error for the user; the
/// key and the location are added.
public protocol KeyValueEngine: Sendable {
  /// A closure that receives a record, and returns whether to continue with the next one.
  typealias Visitor = (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Bool

  /// A closure that stores a record under a key, or removes it if `record` is `nil`.
  typealias LentChange = (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer?) throws -> Void

  /// The maximum length in bytes of a key, at least 64. By default there is no limit.
  ///
  /// `EngineStorage` stores a longer key under its SHA-256, with its text in the record.
  var longestKey: Int { get }

  /// The maximum length in bytes of a record. By default there is no limit.
  ///
  /// A longer record throws `.tooLarge`. A record is about 10 bytes longer than its value.
  var longestRecord: Int { get }

  /// Whether a read never waits for a writer, and waits for the disk only as long as reading one page takes. By default
  /// `false`.
  ///
  /// If `true`, awaited reads run on the caller's thread. If `false`, they run on a thread that may block.
  var answersAtOnce: Bool { get }

  /// Calls `body` with the record of a key, and returns its result. Returns `nil` if there is no record.
  ///
  /// The bytes need to be valid only until `body` returns.
  func read<R>(_ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R?

  /// Calls `body` with the records of many keys and the indices of these keys. Keys without a record are left out.
  ///
  /// By default reads one key after the other. Override it if the engine can read all records from one snapshot.
  func read(
    _ keys: [[UInt8]], _ body: (_ index: Int, _ record: UnsafeRawBufferPointer) throws -> Void) throws

  /// Stores and removes records atomically: if it throws, nothing has changed.
  ///
  /// If a key occurs in two changes, the later change counts. Removing an absent record succeeds.
  func write(_ changes: [EngineChange]) throws

  /// Makes the changes that `each` passes to its closure, at most `count`, as `write(_:)` does. A change is a key and
  /// the record to store under it, or `nil` to remove the key's record.
  ///
  /// The bytes are valid only during the call of the closure. By default copies them for `write(_:)`. Implement
  /// this function if the library copies what it writes: then no record needs memory of its own.
  func write(lent count: Int, _ each: (LentChange) throws -> Void) throws

  /// Stores and removes records atomically if every condition holds. Returns whether the changes were made.
  ///
  /// By default reads, compares and writes: `EngineStorage` calls it while no other write of this process runs. An
  /// engine that several processes share must decide within a transaction.
  func write(_ changes: [EngineChange], if conditions: [EngineCondition]) throws -> Bool

  /// Calls `body` with the records from a key on, in ascending order of their keys' bytes, until it returns `false`.
  ///
  /// The records are a snapshot: concurrent writes are not visible. `body` does not write.
  func scan(from key: UnsafeRawBufferPointer, _ body: Visitor) throws

  /// Removes the records from one key up to but not including another.
  ///
  /// By default removes them in batches of 1 000. Override it if the engine can remove a range at once.
  func removeRecords(from lower: [UInt8], until upper: [UInt8]) throws

  /// Returns the space of removed records to the system. Called after `removeRecords(from:until:)`, while other threads
  /// write.
  ///
  /// By default does nothing.
  func reclaimSpace(from lower: [UInt8], until upper: [UInt8]) throws

  /// Closes the engine. Called once, after the last store over it was released, and before its location is opened
  /// again.
  func close()

  /// Returns the store's error for an error of the engine. By default `.backendFailed`, with the engine's error as the
  /// cause.
  ///
  /// Say what the user can do about it, and use `.malformedFileAttributes` for damage.
  func explained(_ error: any Error) -> StorageError
}

/// A record that an engine is to store or to remove.
///
/// ```swift
/// let swap = [EngineChange(key: Array("old".utf8), record: nil), EngineChange(key: Array("new".utf8), record: bytes)]
/// try engine.write(swap)
/// ```
public struct EngineChange: Sendable {
  /// The key of the record.
  public let key: [UInt8]
  /// The bytes to store under the key, or `nil` to remove the record.
  public let record: Data?

  /// Creates a change.
  public init(key: [UInt8], record: Data?) {
    self.key = key
    self.record = record
  }
}

/// A condition on the record of a key, for a conditional write.
///
/// ```swift
/// func write(_ changes: [EngineChange], if conditions: [EngineCondition]) throws -> Bool {
///   try table.transaction { table in
///     for condition in conditions {
///       let holds = table[condition.key].map { $0.withUnsafeBytes { condition.holds(for: $0) } }
///       guard holds ?? condition.holds(for: nil) else { return false }
///     }
///     for change in changes { table[change.key] = change.record }
///     return true
///   }
/// }
/// ```
public struct EngineCondition: Sendable {
  enum Expected: Sendable {
    case absent
    case whole(Data)
    case beginning([UInt8])
  }

  /// The key of the record.
  public let key: [UInt8]
  let expected: Expected

  /// Returns whether the condition holds for the stored record; `nil` stands for an absent record.
  public func holds(for record: UnsafeRawBufferPointer?) -> Bool {
    switch (expected, record) {
    case (.absent, nil): true
    case (.whole(let bytes), let record?): bytes.count == record.count && record.elementsEqual(bytes)
    case (.beginning(let bytes), let record?): record.starts(with: bytes)
    default: false
    }
  }
}

extension KeyValueEngine {
  /// No limit.
  public var longestKey: Int { .max }

  /// No limit.
  public var longestRecord: Int { .max }

  /// `false`: awaited reads are handed to a thread that may block.
  public var answersAtOnce: Bool { false }

  /// Reads one key after the other.
  public func read(
    _ keys: [[UInt8]], _ body: (_ index: Int, _ record: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    for (index, key) in keys.enumerated() {
      _ = try key.withUnsafeBytes { key in try read(key) { try body(index, $0) } }
    }
  }

  /// Does nothing.
  public func reclaimSpace(from lower: [UInt8], until upper: [UInt8]) {}

  /// Copies the changes for `write(_:)`.
  public func write(lent count: Int, _ each: (LentChange) throws -> Void) throws {
    var changes: [EngineChange] = []
    changes.reserveCapacity(count)
    try each { changes.append(EngineChange(key: Array($0), record: $1.map { Data($0) })) }
    try write(changes)
  }

  /// Reads, compares and writes. Correct only if no other process writes to the engine.
  public func write(_ changes: [EngineChange], if conditions: [EngineCondition]) throws -> Bool {
    for condition in conditions {
      let holds = try condition.key.withUnsafeBytes { try read($0) { condition.holds(for: $0) } }
      guard holds ?? condition.holds(for: nil) else { return false }
    }
    try write(changes)
    return true
  }

  /// Scans and removes 1 000 records at a time.
  public func removeRecords(from lower: [UInt8], until upper: [UInt8]) throws {
    while true {
      var changes: [EngineChange] = []
      try lower.withUnsafeBytes { lower in
        try scan(from: lower) { key, _ in
          guard key.lexicographicallyPrecedes(upper), changes.count < 1000 else { return false }
          changes.append(EngineChange(key: Array(key), record: nil))
          return true
        }
      }
      if changes.isEmpty { return }
      try write(changes)
    }
  }

  /// Returns `.backendFailed`, with the engine's error as the cause.
  public func explained(_ error: any Error) -> StorageError { .backendFailed.with("\(error)", cause: error) }
}
