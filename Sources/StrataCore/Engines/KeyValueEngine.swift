#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An engine that stores bytes under bytes, in the order of the keys: all that the author of a backend writes.
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
/// `EngineStorage` makes a store of it. Keys of any text, expiry, limits, batches, conditional writes, sharing within a
/// process and errors are its work; the engine needs the four functions without a default.
///
/// Every function may be called by several threads at once. What a function throws reaches the user through
/// `explained(_:)`, with the key and the place added.
public protocol KeyValueEngine: Sendable {
  /// A closure that looks at a record and returns whether it wants the next one.
  typealias Visitor = (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Bool

  /// The length in bytes of the longest key that the engine takes, at least 64; by default without a limit.
  ///
  /// `EngineStorage` stores a longer key under its SHA-256, with its text in the record.
  var longestKey: Int { get }

  /// The length in bytes of the longest record that the engine takes; by default without a limit.
  ///
  /// A longer one throws `.tooLarge`. A record is about 10 bytes longer than its value.
  var longestRecord: Int { get }

  /// Whether a read answers at once: it waits for no writer, and for the disk no longer than one page takes; by default
  /// `false`.
  ///
  /// If so, awaited reads stay on their thread. If not, they are handed to a thread that may block.
  var answersAtOnce: Bool { get }

  /// Calls `body` with the record under a key, and returns its result; `nil` if there is no record.
  ///
  /// The bytes need to be valid only until `body` returns.
  func read<R>(_ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R?

  /// Calls `body` with the records under many keys, and the indices of their keys; absent ones are left out.
  ///
  /// The default reads one after the other. Override it if the engine can read them as they were at one moment.
  func read(
    _ keys: [[UInt8]], _ body: (_ index: Int, _ record: UnsafeRawBufferPointer) throws -> Void) throws

  /// Stores and removes records as one step: all of them, or none if it throws.
  ///
  /// Of two changes of one key the later counts. A removal of a record that is not there succeeds.
  func write(_ changes: [EngineChange]) throws

  /// Writes as `write(_:)` if every condition holds, and returns whether they did.
  ///
  /// The default reads, compares and writes: `EngineStorage` calls it while no other write of this process runs. An
  /// engine that several processes share must decide inside its own transaction.
  func write(_ changes: [EngineChange], if conditions: [EngineCondition]) throws -> Bool

  /// Calls `body` with the records from a key on, in ascending order of their keys' bytes, until it returns `false`.
  ///
  /// All records are as they were at one moment: writes meanwhile are not seen. `body` writes nothing.
  func scan(from key: UnsafeRawBufferPointer, _ body: Visitor) throws

  /// Removes the records from one key on up to another, without the latter.
  ///
  /// The default removes them in batches of 1 000. Override it where the engine can drop a range for less.
  func removeRecords(from lower: [UInt8], until upper: [UInt8]) throws

  /// Gives the space of removed records back to the system: called after `removeRecords(from:until:)`, while others
  /// write.
  ///
  /// The default does nothing.
  func reclaimSpace(from lower: [UInt8], until upper: [UInt8]) throws

  /// Closes the engine: called once, when the last store over it has gone, before the place can be opened again.
  func close()

  /// Returns the error of the store for an error of the engine; by default `.backendFailed` with the engine's as cause.
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

  /// Makes a change.
  public init(key: [UInt8], record: Data?) {
    self.key = key
    self.record = record
  }
}

/// What the record under a key must be for a conditional write to happen.
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

  /// Returns whether the condition holds for the record that is stored now, `nil` if there is none.
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

  /// Reads, compares and writes; right where no other process writes to the engine.
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

  /// `.backendFailed`, with the engine's error as the cause.
  public func explained(_ error: any Error) -> StorageError { .backendFailed.with("\(error)", cause: error) }
}
