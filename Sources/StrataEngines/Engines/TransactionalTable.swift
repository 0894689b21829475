#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import StrataCore

/// Entries in a file with transactions, which holds the indexes of deadlines and of use too, so that all processes with
/// the file share them.
///
/// The author implements single operations in a transaction. Batches, conditional updates, the sweep and the limit are
/// built on them.
package protocol TransactionalTable: StoreTable {
  associatedtype Config: EngineConfig
  associatedtype Reader: EntryReader
  associatedtype Writer: EntryTransaction

  /// The configuration. Its `maxSize` is the maximum of a transaction's `size()`.
  var config: Config { get }
  /// The limit of the configuration. A table says it itself: a generic caller would copy the configuration.
  var limit: Int? { get }

  /// Runs `body`, which only reads, and returns its result. May run it again. With `together`, all reads of `body` are
  /// from one snapshot of the file; otherwise each read has its own.
  func read<R: Sendable>(together: Bool, _ body: (Reader) throws -> R) throws -> R

  /// Runs `body` in a write transaction, which excludes all other writers, and commits. If `body` throws, nothing is
  /// changed. Returns the result of `body`, and may run it again.
  ///
  /// `bytes` is about the number of bytes that will be stored, `nil` if entries are only removed.
  func write(storing bytes: Int?, _ body: (Writer) throws -> Bool) throws -> Bool
}

extension EngineStorage where Engine: TransactionalTable {
  /// Opens a store.
  ///
  /// - Parameters:
  ///   - leases: what the file for leases has behind the path of the store.
  ///   - explained: returns the store's error for an error of the engine.
  ///   - open: opens the table of a configuration with an absolute path.
  package convenience init(
    _ config: Engine.Config, leases: String, by explained: (any Error) -> StorageError,
    open: (Engine.Config) throws -> Engine
  ) throws {
    do {
      var config = config
      config.path = try StorePath.absolute(config.path)
      let table = try open(config)
      self.init(
        place: config.path, expiry: config.expiry, engine: table, table: table,
        leaseFile: config.path + leases)
    } catch {
      throw StorageError.explaining(error, "open the store", key: nil, place: config.path, by: explained)
    }
  }
}

// MARK: Reading

extension TransactionalTable {
  package var clock: StorageClock { config.clock }

  package func entry(_ text: String) throws -> Entry<Data>? {
    try assembling { try $0.entry(text) }
  }

  package func expiry(_ text: String) throws -> Expiry? { try read(together: false) { try $0.expiry(text) } }

  package func entries(
    _ count: Int, _ text: (_ index: Int) -> String, reading: inout Int?,
    _ body: (_ index: Int, _ entry: consuming Entry<Data>) -> Void
  ) throws {
    try read(together: true) { reader in
      for index in 0..<count {
        reading = index
        if let entry = try reader.entry(text(index)) { body(index, entry) }
      }
      reading = nil
    }
  }

  package func eachKey(from position: [UInt8]?, validAt now: Date, _ body: KeyVisitor) throws {
    try read(together: false) { try $0.eachKey(from: position, validAt: now, body) }
  }

  package func totalSize() throws -> Int { try read(together: false) { try $0.size() } }
}

// MARK: Writing

extension TransactionalTable {
  /// Stores the entries in the order of their keys, which is the order of the pages: where those exceed SQLite's cache,
  /// keys in random order would read and write a page for almost every entry.
  package func put(_ entries: [StoredEntry]) throws {
    let entries = entries.sorted { $0.text < $1.text }
    _ = try change(storing: entries.reduce(0) { $0 + $1.value.count }) { transaction in
      for (text, value, expiry) in entries { try transaction.put(text, value, expiry) }
      return true
    }
  }

  package func put(_ entry: StoredEntry, ifAbsent: Bool) throws -> Bool {
    try change(storing: entry.value.count) { transaction in
      if ifAbsent, let seen = try transaction.expiry(entry.text), !seen.isExpired(by: clock) { return false }
      try transaction.put(entry.text, entry.value, entry.expiry)
      return true
    }
  }

  package func touch(_ text: String, _ expiry: Expiry) throws -> Bool {
    // The length of the value is unknown before the transaction.
    try change(storing: 0) { transaction in
      switch try transaction.stored(text) {
      case .whole(let seen)? where seen.isLive(by: clock):
        try transaction.put(text, seen.object, expiry)
      case .divided(let value, let seen)? where !seen.isExpired(by: clock):
        try transaction.put(text, value, expiry)
      default: return false
      }
      return true
    }
  }

  package func replace(_ seen: Entry<Data>, with value: Data, _ text: String) throws -> Bool {
    try change(storing: value.count) { transaction in
      guard let found = try transaction.entry(text), found.expiry == seen.expiry, found.object == seen.object
      else { return false }
      try transaction.put(text, value, seen.expiry)
      return true
    }
  }

  package func remove(_ texts: [String]) throws {
    try remove { for text in texts { try $0.remove(text) } }
  }

  package func removeAll() throws { try remove { try $0.removeAll() } }

  package func removeExpired() throws {
    let now = clock.now
    // In several transactions, so that other writers need not wait for the whole sweep.
    let share = 1000
    while try change(storing: nil, { try $0.removeExpired(at: now, atMost: share) == share }) {}
    try reclaim(thoroughly: true)
  }

  private func remove(_ body: (Writer) throws -> Void) throws {
    _ = try change(storing: nil) { transaction in
      try body(transaction)
      return true
    }
  }

  /// Runs `body`, which returns whether it has changed anything, and enforces the limit in the same transaction if
  /// entries are stored.
  package func change(storing bytes: Int?, _ body: (Writer) throws -> Bool) throws -> Bool {
    var leavesParts = false
    let isChanged = try write(storing: bytes) { transaction in
      // The next owner of the lease can only write after this transaction.
      try StorageLease.current?.check()
      guard try body(transaction) else { return false }
      if bytes != nil { try makeRoom(in: transaction) }
      leavesParts = try transaction.mayHaveDisowned()
      return true
    }
    if leavesParts { tidy { try removeDisownedParts() } }
    return isChanged
  }

  /// Enforces the limit: removes expired entries first, then the others in the order of eviction.
  func makeRoom(in transaction: Writer) throws {
    guard let limit, try transaction.size() > limit else { return }
    let now = clock.now
    var hasExpired = true
    while try transaction.size() > limit {
      if hasExpired {
        hasExpired = try transaction.removeExpired(at: now, atMost: 16) > 0
      } else if try !transaction.removeOldest() {
        return
      }
    }
  }
}
