#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import StrataCore

/// The reads of a transaction of a `TransactionalTable`.
package protocol EntryReader {
  /// Returns an entry, even an expired one.
  func entry(_ text: String) throws -> Entry<Data>?
  /// Returns the expiry of an entry. Does not count as a use.
  func expiry(_ text: String) throws -> Expiry?
  /// Returns an entry as it is stored, even an expired one.
  func stored(_ text: String) throws -> StoredForm?
  /// Calls `body` with the record of a part of a value. Returns whether there is one.
  func withPart(_ number: Int, of id: ValueID, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool
  /// Calls `body` with the values that are being written, and their owners; with `all`, also with those of entries.
  func eachOwner(all: Bool, _ body: (ValueID, PartOwner) throws -> Void) throws
  /// Calls `body` with keys, as `StoreTable.eachKey` does.
  func eachKey(from position: [UInt8]?, validAt now: Date, _ body: StoreTable.KeyVisitor) throws
  /// Returns the size that the limit applies to.
  func size() throws -> Int
}

/// A write transaction of a `TransactionalTable`.
package protocol EntryTransaction: EntryReader {
  /// Stores an entry and marks it as the most recently used.
  func put(_ text: String, _ value: Data, _ expiry: Expiry) throws
  /// Removes an entry, if there is one.
  func remove(_ text: String) throws
  /// Removes all entries.
  func removeAll() throws
  /// Removes the entries with the earliest deadlines that have passed. Returns their number, at most `count`.
  func removeExpired(at now: Date, atMost count: Int) throws -> Int
  /// Removes the entry to evict first. Returns `false` if there is none.
  func removeOldest() throws -> Bool

  /// Stores an entry whose value is stored in parts, and marks it as the most recently used.
  func put(_ text: String, _ value: DividedValue, _ expiry: Expiry) throws
  /// Stores the record of a part of a value.
  func putPart(_ record: Data, _ number: Int, of id: ValueID) throws
  /// Returns the owner of a value's parts, or `nil`.
  func owner(of id: ValueID) throws -> PartOwner?
  /// Sets or removes the owner of a value's parts.
  func setOwner(_ owner: PartOwner?, of id: ValueID) throws
  /// Returns whether this process may have left values with the owner `.nobody`, as cheaply as possible: every write
  /// calls it.
  func mayHaveDisowned() throws -> Bool
  /// Returns values with the owner `.nobody`, at most `count`.
  func disowned(atMost count: Int) throws -> [ValueID]
  /// Removes parts of a value, at most `count`. Returns their number.
  func removeParts(of id: ValueID, atMost count: Int) throws -> Int
}

/// What owns the parts of a value. A transaction sets `.nobody` for a value whose entry it removes or replaces: the
/// parts are removed afterwards, a few at a time, so that other writers need not wait.
package enum PartOwner: Sendable, Hashable {
  case nobody
  /// A writer, which has stored parts at this time.
  case writer(Date)
  /// The entry of a key.
  case entry(String)
}
