#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HybridStorage {
  /// Reads from the front, else from the back, and then puts what was found in front.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<TypeWrapper>? {
    if let entry = try await front.entryIfPresent(forKey: key), isLive(entry) { return entry }
    return try await tiers.withTurn(.key(key)) {
      let inFront = try await front.entryIfPresent(forKey: key)
      if isLive(inFront) { return inFront }
      guard let inBack = try await back.entryIfPresent(forKey: key)?.map({ TypeWrapper(data: $0) }) else {
        return inFront
      }
      if isLive(inBack) { try await promote([key: inBack]) }
      return inBack
    }
  }

  /// Stores in the back, then in the front.
  public func setObject(_ object: TypeWrapper, forKey key: Key, expiry: Expiry?) async throws {
    let data = try bytes(of: object, forKey: key)
    let expiry = expiry?.resolved(by: clock)
    try await tiers.withTurn(.key(key)) {
      try await droppingOnFailure([key]) {
        try await back.setObject(data, forKey: key, expiry: expiry)
        try await front.setObject(object, forKey: key, expiry: expiry)
      }
    }
  }

  /// Removes from the back, then from the front, also if the back fails.
  public func removeObject(forKey key: Key) async throws {
    try await tiers.withTurn(.key(key)) {
      try await droppingOnFailure([key]) {
        try await back.removeObject(forKey: key)
        try await front.removeObject(forKey: key)
      }
    }
  }

  /// Empties the back, then the front, also if the back fails. Runs alone: what is being read now is not put in front
  /// afterwards.
  public func removeAll() async throws {
    try await tiers.withTurn(.everything) {
      do {
        try await back.removeAll()
      } catch {
        do { try await front.removeAll() } catch let second { throw doubleFault(error, second) }
        throw error
      }
      try await front.removeAll()
    }
  }

  /// Removes from both tiers what has expired, from the front also if the back fails.
  public func removeExpiredObjects() async throws {
    do {
      try await back.removeExpiredObjects()
    } catch {
      do { try await front.removeExpiredObjects() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try await front.removeExpiredObjects()
  }

  /// The keys of both tiers, each once.
  public func keys() async throws -> [Key] {
    let inBack = try await back.keys()
    let known = Set(inBack)
    return try await inBack + front.keys().filter { !known.contains($0) }
  }

  /// The expiry of what a read would return.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    let inFront = try await front.expiryIfPresent(forKey: key)
    if let inFront, !inFront.isExpired(by: clock) { return inFront }
    return try await back.expiryIfPresent(forKey: key) ?? inFront
  }

  /// Forgets what the memory tier in front holds of a key.
  public func removeInMemoryObject(forKey key: Key) async throws {
    try await tiers.withTurn(.key(key)) { try await front.removeInMemoryObject(forKey: key) }
  }

  /// Reads many from the front, the rest in one batch from the back.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<TypeWrapper>] {
    let atHand = try await front.entries(forKeys: keys).filter { isLive($0.value) }
    let wanted = Set(keys).subtracting(atHand.keys)
    if wanted.isEmpty { return atHand }
    return try await tiers.withTurn(.keys(wanted)) {
      let inFront = try await front.entries(forKeys: Array(wanted))
      let missing = wanted.filter { !isLive(inFront[$0]) }
      if missing.isEmpty { return atHand.merging(inFront) { $1 } }
      let inBack = try await back.entries(forKeys: Array(missing)).mapValues {
        $0.map { TypeWrapper(data: $0) }
      }
      try await promote(inBack.filter { isLive($0.value) })
      return atHand.merging(inFront) { $1 }.merging(inBack) { $1 }
    }
  }

  /// Stores many in one batch a tier, the back first. If one cannot be encoded, none is stored.
  public func setObjects(_ objects: [Key: TypeWrapper], expiry: Expiry?) async throws {
    var data: [Key: Data] = [:]
    for (key, object) in objects { data[key] = try bytes(of: object, forKey: key) }
    let bytes = data
    let expiry = expiry?.resolved(by: clock)
    try await tiers.withTurn(TurnScope(objects.keys)) {
      try await droppingOnFailure(Array(objects.keys)) {
        try await back.setObjects(bytes, expiry: expiry)
        try await front.setObjects(objects, expiry: expiry)
      }
    }
  }

  /// Removes many in one batch a tier, the back first.
  public func removeObjects(forKeys keys: [Key]) async throws {
    try await tiers.withTurn(TurnScope(keys)) {
      try await droppingOnFailure(keys) {
        try await back.removeObjects(forKeys: keys)
        try await front.removeObjects(forKeys: keys)
      }
    }
  }

  /// Puts in front what was read from the back.
  private func promote(_ entries: [Key: Entry<TypeWrapper>]) async throws {
    for (key, entry) in entries {
      try await front.setObject(entry.object, forKey: key, expiry: entry.expiry)
    }
  }

  /// If the change fails, drops the keys from the front before it throws: the next read sees what the back holds.
  private func droppingOnFailure(_ keys: [Key], _ change: () async throws -> Void) async throws {
    do {
      try await change()
    } catch {
      do {
        try await front.removeObjects(forKeys: keys)
      } catch let second {
        throw doubleFault(error, second, forKey: keys.count == 1 ? keys.first : nil)
      }
      throw error
    }
  }
}
