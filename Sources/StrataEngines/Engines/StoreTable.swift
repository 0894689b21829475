#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

/// An entry to store, by the text of its key, with a resolved expiry.
package typealias StoredEntry = (text: String, value: Data, expiry: Expiry)

/// The entries of an open store, by the texts of their keys: the part of an `EngineStorage` that depends on the engine.
///
/// `EngineTable` implements it over a `KeyValueEngine`. A `TransactionalTable` implements it with indexes in the file,
/// which several processes share. It does not depend on the type of the keys. Every function may be called by several
/// threads at once.
package protocol StoreTable: AnyObject, Sendable {
  /// A closure that receives the position of a key and its text, `nil` if the key is no text. Returns whether to
  /// continue.
  typealias KeyVisitor = (_ position: UnsafeRawBufferPointer, _ text: String?) throws -> Bool

  /// The clock that decides whether an entry has expired.
  var clock: StorageClock { get }
  /// The running updates of this process, at most one per key.
  var updates: KeyOrder<TableKey> { get }
  /// A text that distinguishes the keys of this table from the keys of other tables with the same `updates` or file of
  /// leases.
  var scope: String { get }
  /// Whether a read never waits for a writer.
  var answersAtOnce: Bool { get }

  /// Returns an entry, even an expired one.
  func entry(_ text: String) throws -> Entry<Data>?
  /// Returns the expiry of an entry. Does not copy the value, and does not count as a use.
  func expiry(_ text: String) throws -> Expiry?
  /// Calls `body` with the entries of many keys and the indices of these keys. Keys without an entry are left out.
  ///
  /// If an entry cannot be read, `reading` is set to its index.
  func entries(
    _ count: Int, _ text: (_ index: Int) -> String, reading: inout Int?,
    _ body: (_ index: Int, _ entry: consuming Entry<Data>) -> Void) throws
  /// Calls `body` with the keys that have not expired, from a position on, in the order of positions. Without a
  /// position the order is any.
  func eachKey(from position: [UInt8]?, validAt now: Date, _ body: KeyVisitor) throws
  /// Returns the size that the limit applies to.
  func totalSize() throws -> Int

  /// Throws if an entry alone is too large to be stored.
  func refuseTooLarge(_ entry: StoredEntry) throws
  /// Stores entries atomically, and evicts others if the limit would be exceeded.
  func put(_ entries: [StoredEntry]) throws
  /// Stores an entry; with `ifAbsent`, only if there is none, or an expired one. Returns whether it was stored.
  func put(_ entry: StoredEntry, ifAbsent: Bool) throws -> Bool
  /// Changes the expiry of an entry that has not expired. Returns whether there was one.
  func touch(_ text: String, _ expiry: Expiry) throws -> Bool
  /// Stores a value with the expiry of an entry, if the entry is still as it was read. Returns whether the value was
  /// stored.
  func replace(_ seen: Entry<Data>, with value: Data, _ text: String) throws -> Bool
  /// Removes entries atomically.
  func remove(_ texts: [String]) throws
  /// Removes all entries, whatever the type of their keys.
  func removeAll() throws
  /// Removes expired entries.
  func removeExpired() throws

  // MARK: Values in parts

  /// The number of bytes of a part of a value.
  var partSize: Int { get }
  /// Makes sure that parts can be stored. Called before the first part of each value.
  func prepareParts() throws
  /// Returns an entry as it is stored, even an expired one. Counts as a use.
  func stored(_ text: String) throws -> StoredForm?
  /// Returns the bytes of parts of a value, or `nil` if one is not stored. Throws if one is damaged.
  func bytes(_ numbers: Range<Int>, of value: DividedValue) throws -> Data?
  /// Throws if a value of so many bytes is too large to be stored.
  func refuseTooLong(_ length: Int, _ text: String) throws
  /// Stores the records of parts of a value that is being written, from a number on, and notes that it is.
  func putParts(_ records: [Data], from number: Int, of id: ValueID) throws
  /// Replaces an entry by a value whose parts are stored, in one transaction, and evicts others if the limit would be
  /// exceeded. With `ifAbsent`, only if there is no entry, or an expired one. Returns whether it was stored. Throws if
  /// the parts are no longer stored.
  func put(_ value: DividedValue, _ text: String, _ expiry: Expiry, ifAbsent: Bool) throws -> Bool
  /// Removes the parts of a value that no entry has.
  func removeParts(of id: ValueID) throws
  /// Removes the parts of replaced values, and of values whose writers have stopped.
  ///
  /// With `thoroughly` it also looks for values whose entries were removed without a note, as by other programs and
  /// earlier versions. This reads the entry of every value that is stored in parts.
  func reclaim(thoroughly: Bool) throws

  /// Returns the store's error for an error of the engine.
  func explained(_ error: any Error) -> StorageError
}

/// An entry as it is stored: with its value, or with the description of a value that is stored in parts.
package enum StoredForm: Sendable {
  case whole(Entry<Data>)
  case divided(DividedValue, Expiry)
}

/// Thrown for a value of which a part is missing: it was replaced meanwhile, or is damaged.
package struct MissingPart: Error {
  let failure: StorageError
}

extension StoreTable {
  package func prepareParts() {}
  package var partSize: Int { DividedValue.usualPartSize }
  package var answersAtOnce: Bool { false }

  /// Runs `body`, which removes what a committed change has left over. Ignores its failure: a caller that got the error
  /// would take the change for one that was not made, and repeat it. The next sweep finds what is left.
  func tidy(_ body: () throws -> Void) {
    do { try body() } catch {}
  }
}
