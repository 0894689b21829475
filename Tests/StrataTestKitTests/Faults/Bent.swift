import Foundation
import StrataCore

/// A correct store whose functions can be replaced by faulty ones.
struct Bent: SimpleConditionalStorage, CountingStorage, UpdateableStorage {
  let base: any StorageAware<String, Data>
  var read: @Sendable (String) async throws -> Entry<Data>?
  var readExpiry: @Sendable (String) async throws -> Expiry?
  var write: @Sendable (Data, String, Expiry?) async throws -> Void
  /// A `replaceObject` in place of a write.
  var replace: (@Sendable (Data, String, Expiry?) async throws -> Void)?
  var remove: @Sendable (String) async throws -> Void
  var removeEverything: @Sendable () async throws -> Void
  var sweep: @Sendable () async throws -> Void
  var list: @Sendable () async throws -> [String]
  var page: @Sendable (KeyCursor?, Int) async throws -> KeyPage<String>
  var readMany: @Sendable ([String]) async throws -> [String: Entry<Data>]
  var writeMany: @Sendable ([String: Data], Expiry?) async throws -> Void
  /// A batch of entries in place of a batch for each expiry.
  var writeEntries: (@Sendable ([String: Entry<Data>]) async throws -> Void)?
  var removeMany: @Sendable ([String]) async throws -> Void
  var change: @Sendable (String, (inout Data) throws -> Void) async throws -> Data

  var writeIfAbsent: @Sendable (Data, String, Expiry?) async throws -> Bool
  var changeExpiry: @Sendable (String, Expiry) async throws -> Bool
  var add: @Sendable (String, Int) async throws -> Int
  /// Makes some changes in another way; returns `nil` for the others.
  var alter: (@Sendable (String, StoreChange<Data>, How) async throws -> Bool?)?

  init(_ base: any StorageAware<String, Data>) {
    self.base = base
    read = { try await base.entryIfPresent(forKey: $0) }
    readExpiry = { try await base.expiryIfPresent(forKey: $0) }
    write = { try await base.setObject($0, forKey: $1, expiry: $2) }
    remove = { try await base.removeObject(forKey: $0) }
    removeEverything = { try await base.removeAll() }
    sweep = { try await base.removeExpiredObjects() }
    list = { try await base.keys() }
    page = { try await base.keyPage(after: $0, limit: $1) }
    readMany = { try await base.entries(forKeys: $0) }
    writeMany = { try await base.setObjects($0, expiry: $1) }
    removeMany = { try await base.removeObjects(forKeys: $0) }
    writeIfAbsent = { try await base.change($1, .setIfAbsent($0, $2), []) }
    self.changeExpiry = { try await base.change($0, .touch($1), []) }
    let change: @Sendable (String, (inout Data) throws -> Void) async throws -> Data = { key, modify in
      guard let base = base as? any UpdateableStorage<String, Data> else {
        throw StorageError.invalidConfiguration.with("the store cannot be updated")
      }
      return try await base.update(forKey: key, modify)
    }
    self.change = change
    add = { key, amount in
      while true {
        do {
          return Self.number(try await change(key) { $0 = Self.digits(Self.number($0) + amount) })
        } catch StorageError.notFound {}
        if try await base.change(key, .setIfAbsent(Self.digits(amount), nil), []) { return amount }
      }
    }
  }

  /// Returns a count as bytes.
  static func digits(_ number: Int) -> Data { Data("\(number)".utf8) }

  static func number(_ digits: Data) -> Int { Int(String(decoding: digits, as: UTF8.self)) ?? 0 }

  /// Returns a correct store that lets other tasks run before and after each operation.
  static func slow(_ base: any StorageAware<String, Data>) -> Bent {
    @Sendable func slowly<R>(_ body: () async throws -> R) async throws -> R {
      await Task.yield()
      let result = try await body()
      await Task.yield()
      return result
    }
    var slow = Bent(base)
    slow.read = { key in try await slowly { try await base.entryIfPresent(forKey: key) } }
    slow.write = { value, key, expiry in
      try await slowly { try await base.setObject(value, forKey: key, expiry: expiry) }
    }
    slow.remove = { key in try await slowly { try await base.removeObject(forKey: key) } }
    slow.readMany = { keys in try await slowly { try await base.entries(forKeys: keys) } }
    slow.writeMany = { values, expiry in
      try await slowly { try await base.setObjects(values, expiry: expiry) }
    }
    slow.writeEntries = { entries in try await slowly { try await base.setEntries(entries) } }
    slow.removeMany = { keys in try await slowly { try await base.removeObjects(forKeys: keys) } }
    slow.removeEverything = { try await slowly { try await base.removeAll() } }
    slow.sweep = { try await slowly { try await base.removeExpiredObjects() } }
    slow.list = { try await slowly { try await base.keys() } }
    return slow
  }

  /// Changes each entry that any read function returns.
  mutating func afterReads(_ change: @escaping @Sendable (Entry<Data>) -> Entry<Data>?) {
    let (read, readMany) = (read, readMany)
    self.read = { try await read($0).flatMap(change) }
    self.readMany = { try await readMany($0).compactMapValues(change) }
    self.readExpiry = { try await read($0).flatMap(change)?.expiry }
  }

  /// Changes the value and the expiry of each entry that any write function stores.
  mutating func beforeWrites(_ change: @escaping @Sendable (Data, Expiry?) -> (Data, Expiry?)) {
    let base = base
    write = { value, key, expiry in
      let (value, expiry) = change(value, expiry)
      try await base.setObject(value, forKey: key, expiry: expiry)
    }
    writeMany = { objects, expiry in
      try await base.setObjects(objects.mapValues { change($0, expiry).0 }, expiry: change(Data(), expiry).1)
    }
  }

  /// Maps every key to another. `keys()` lists the stored keys, mapped back by `back`.
  mutating func rename(
    _ name: @escaping @Sendable (String) -> String, back: @escaping @Sendable (String) -> String = { $0 }
  ) {
    let base = base
    read = { try await base.entryIfPresent(forKey: name($0)) }
    readExpiry = { try await base.expiryIfPresent(forKey: name($0)) }
    write = { try await base.setObject($0, forKey: name($1), expiry: $2) }
    remove = { try await base.removeObject(forKey: name($0)) }
    list = { try await base.keys().map(back) }
    readMany = { keys in
      let found = try await base.entries(forKeys: keys.map(name))
      return keys.reduce(into: [:]) { $0[$1] = found[name($1)] }
    }
    writeMany = { objects, expiry in
      let named = objects.map { (name($0.key), $0.value) }
      try await base.setObjects(Dictionary(named) { $1 }, expiry: expiry)
    }
    removeMany = { try await base.removeObjects(forKeys: $0.map(name)) }
  }

  var clock: StorageClock { base.clock }

  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? { try await read(key) }
  func expiryIfPresent(forKey key: String) async throws -> Expiry? { try await readExpiry(key) }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try await write(object, key, expiry)
  }
  func change(_ key: String, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    if let isMade = try await alter?(key, change, how) { return isMade }
    guard case .replace(let expiry) = change.kind else {
      return try await changeAtomically(key, change, how)
    }
    try await replaceObject(change.object, forKey: key, expiry: expiry)
    return true
  }
  func replaceObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try await (replace ?? write)(object, key, expiry)
  }
  func removeObject(forKey key: String) async throws { try await remove(key) }
  func removeAll() async throws { try await removeEverything() }
  func removeExpiredObjects() async throws { try await sweep() }
  func keys() async throws -> [String] { try await list() }
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try await page(cursor, limit)
  }
  func entries(forKeys keys: [String]) async throws -> [String: Entry<Data>] { try await readMany(keys) }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) async throws {
    try await writeMany(objects, expiry)
  }
  func setEntries(_ entries: [String: Entry<Data>]) async throws {
    if let writeEntries { return try await writeEntries(entries) }
    for (expiry, group) in Dictionary(grouping: entries, by: \.value.expiry) {
      let objects = group.map { ($0.key, $0.value.object) }
      try await writeMany(Dictionary(uniqueKeysWithValues: objects), expiry)
    }
  }
  func removeObjects(forKeys keys: [String]) async throws { try await removeMany(keys) }
  func setIfAbsent(_ object: Data, forKey key: String, expiry: Expiry?) async throws -> Bool {
    try await writeIfAbsent(object, key, expiry)
  }
  func touch(forKey key: String, expiry: Expiry) async throws -> Bool { try await changeExpiry(key, expiry) }
  func increment(forKey key: String, by amount: Int) async throws -> Int { try await add(key, amount) }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    try await change(key, modify)
  }
}
