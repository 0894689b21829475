#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension ServerStorage: UpdateableStorage, ConditionalStorage {
  /// Changes one key, atomically among all processes, and returns whether it was changed. To touch an entry, reads its
  /// value and stores it again.
  ///
  /// Throws `.tooLarge` for a value that is too long for the server. If the connection is lost before the reply, the
  /// change may or may not be made.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    try how.refuseAtOnce()
    return try await explaining(change.kind.aim, key) {
      let name = names[key]
      switch change.kind {
      case .set(let expiry), .replace(let expiry):
        return try await write(change.object, name, resolved(expiry))
      case .setIfAbsent(let expiry): return try await storeIfAbsent(change.object, name, resolved(expiry))
      case .touch(let expiry): return try await touch(name, resolved(expiry))
      case .remove: try await remove([name.text])
      case .forget: break
      }
      return true
    }
  }

  private func storeIfAbsent(_ object: Data, _ name: ServerNames.Name, _ expiry: Expiry) async throws -> Bool
  {
    while true {
      if try await write(object, name, expiry, if: .absent) { return true }
      guard let (old, version) = try await stored(name) else { continue }
      if old.isLive(by: clock) { return false }
      if try await write(object, name, expiry, if: .version(version)) { return true }
    }
  }

  private func touch(_ name: ServerNames.Name, _ expiry: Expiry) async throws -> Bool {
    while true {
      guard let (entry, version) = try await stored(name), entry.isLive(by: clock) else {
        return false
      }
      if try await write(entry.object, name, expiry, if: .version(version)) { return true }
    }
  }

  private func remove(_ names: some Sequence<String>) async throws {
    _ = try await server.write(names.map { ServerChange(name: $0, record: nil) })
  }

  /// Changes many keys, in batches of 100. If it throws, some may be changed.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) async throws {
    try how.refuseAtOnce()
    try await explaining(batch.aim) {
      if case .remove(let keys) = batch {
        for part in keys.parts(of: Self.partSize) { try await remove(part.map { names[$0].text }) }
      }
      var entries: [(Key, Data, Expiry)] = []
      batch.forEachObject(own: expiry, by: clock) { entries.append(($0, $1, $2)) }
      for part in entries.parts(of: Self.partSize) {
        _ = try await server.write(part.map { try self.change(names[$0], to: $1, $2) })
      }
    }
  }

  /// Removes all entries of the namespace, or the expired entries that the server has not removed itself.
  ///
  /// Entries that are stored meanwhile may or may not be removed. To find the expired entries, reads all entries that
  /// may expire.
  public func clear(_ extent: StoreExtent) async throws {
    try await explaining(extent.aim) {
      try await eachPart { part in
        if extent == .expired { try await sweep(part) } else { try await remove(part.map(\.text)) }
      }
    }
  }

  private func sweep(_ part: ArraySlice<ServerName>) async throws {
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
        guard let (entry, version) = seen, entry.isLive(by: clock) else {
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
