#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ServerStorage: UpdateableStorage, ConditionalStorage {
  /// Stores bytes, replacing any value of the key. If `expiry` is `nil`, the store's default applies.
  ///
  /// Throws `.tooLarge` for a value that is too long for the server. If the connection is lost before the reply, the
  /// value may or may not be stored.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    try await explaining("store the entry", key) {
      _ = try await write(object, names[key], resolved(expiry))
    }
  }

  /// Stores many values, in batches of 100. If it throws, some may be stored.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) async throws {
    let expiry = resolved(expiry)
    try await store(objects.map { ($0, $1, expiry) })
  }

  /// Stores many values, each with its own expiry, in batches of 100. If it throws, some may be stored.
  public func setEntries(_ entries: [Key: Entry<Data>]) async throws {
    try await store(entries.map { ($0, $1.object, resolved($1.expiry)) })
  }

  private func store(_ entries: [(Key, Data, Expiry)]) async throws {
    try await explaining("store the entries") {
      for part in entries.parts(of: Self.partSize) {
        _ = try await server.write(part.map { try change(names[$0], to: $1, $2) })
      }
    }
  }

  /// Removes the entry of a key, if there is one.
  public func removeObject(forKey key: Key) async throws {
    try await explaining("remove the entry", key) {
      _ = try await server.write([ServerChange(name: names[key].text, record: nil)])
    }
  }

  /// Removes the entries of many keys, in batches of 100. If it throws, some may be removed.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await explaining("remove the entries") {
      for part in keys.parts(of: Self.partSize) {
        _ = try await server.write(part.map { ServerChange(name: names[$0].text, record: nil) })
      }
    }
  }

  /// Removes all entries of the namespace. Entries that are stored meanwhile may or may not be removed.
  public func removeAll() async throws {
    try await explaining("remove all entries") {
      try await eachPart { part in
        _ = try await server.write(part.map { ServerChange(name: $0.text, record: nil) })
      }
    }
  }

  /// Removes expired entries that the server has not removed itself. Reads all entries that may expire.
  public func removeExpiredObjects() async throws {
    try await explaining("remove the expired entries") {
      try await eachPart { part in
        let names = part.filter(\.mayExpire).map(\.text)
        if names.isEmpty { return }
        let now = clock.now
        let removals = zip(names, try await server.read(names)).compactMap { name, record -> ServerChange? in
          guard let record,
            case .date(let date)? = record.bytes.withUnsafeBytes({ EngineRecord($0)?.expiry }),
            date <= now
          else { return nil }
          // An entry that is stored again meanwhile has another version, and is kept.
          return ServerChange(name: name, record: nil, condition: .version(record.version))
        }
        if !removals.isEmpty { _ = try await server.write(removals) }
      }
    }
  }

  /// Reads, changes and stores a value as one operation, atomic among all processes. Returns the stored value. The
  /// expiry does not change.
  ///
  /// Throws `.notFound` if nothing is stored. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if another process changes the entry meanwhile, `modify` runs again with the new value. Updates of one key
  /// through this store take turns.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    let name = names[key]
    return try await updates.withTurn(.key(key)) {
      while true {
        let seen = try await explaining("read the entry", key) { try await stored(name) }
        guard let (entry, version) = seen, !entry.expiry.isExpired(by: clock) else {
          throw StorageError.notFound.with(key: key, place: place)
        }
        var value = entry.object
        try modify(&value)
        let new = value
        let isStored = try await explaining("store the entry", key) {
          try await write(new, name, entry.expiry, if: .version(version))
        }
        if isStored { return new }
      }
    }
  }

  /// Stores bytes if the key has no value, or an expired one, atomically among all processes. Returns whether they were
  /// stored. If `expiry` is `nil`, the store's default applies.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    try await explaining("store the entry", key) {
      let (name, expiry) = (names[key], resolved(expiry))
      while true {
        if try await write(object, name, expiry, if: .absent) { return true }
        guard let (old, version) = try await stored(name) else { continue }
        if !old.expiry.isExpired(by: clock) { return false }
        if try await write(object, name, expiry, if: .version(version)) { return true }
      }
    }
  }

  /// Changes the expiry of the stored entry, atomically among all processes. Returns `false` if there is none or it has
  /// expired. Reads the value and stores it again.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    try await explaining("store the entry", key) {
      let (name, expiry) = (names[key], resolved(expiry))
      while true {
        guard let (entry, version) = try await stored(name), !entry.expiry.isExpired(by: clock) else {
          return false
        }
        if try await write(entry.object, name, expiry, if: .version(version)) { return true }
      }
    }
  }

  private func resolved(_ expiry: Expiry?) -> Expiry { (expiry ?? self.expiry).resolved(by: clock) }

  /// Stores an entry. Returns `false` if the condition does not hold.
  private func write(
    _ value: Data, _ name: ServerNames.Name, _ expiry: Expiry, if condition: ServerChange.Condition? = nil
  ) async throws -> Bool {
    try await server.write([change(name, to: value, expiry, if: condition)]).first ?? false
  }

  /// Returns the change that stores an entry. Throws if the record would be too long for the server.
  private func change(
    _ name: ServerNames.Name, to value: Data, _ expiry: Expiry, if condition: ServerChange.Condition? = nil
  ) throws(StorageError) -> ServerChange {
    let record = EngineRecord.encode(value, expiry, text: name.key)
    if record.count > server.longestRecord {
      throw .tooLarge.with(
        "the entry would take \(record.count) bytes, and the server stores up to \(server.longestRecord)")
    }
    return ServerChange(
      name: name.text, record: record, lifetime: lifetime(expiry), condition: condition)
  }

  /// Returns the number of seconds for which the server must keep an entry; `nil` for ever, and for more than ten
  /// years.
  private func lifetime(_ expiry: Expiry) -> Int? {
    guard case .date(let date) = expiry else { return nil }
    let seconds = max(date.timeIntervalSince(clock.now), 0) + 60
    return seconds < 3e8 ? Int(seconds.rounded(.up)) : nil
  }
}
