#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension S3Storage {
  /// Changes one key, and returns whether it was changed. Without an expiry, the store's default applies.
  ///
  /// A write takes one request; values of more than `S3Config.multipartThreshold` bytes are uploaded in parts, which
  /// become visible together. Throws `.tooLarge` for more than `S3Config.maximumValueSize` bytes: use `write`.
  /// `setIfAbsent` takes three requests if there is an expired value. So does `touch`, which stores the object again.
  ///
  /// If the connection is lost before the response, it throws `.backendFailed`: the change may or may not be made.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    try how.refuseAtOnce()
    if case .forget = change.kind { return true }
    return try await explaining(change.kind.aim, key) {
      let name = names.name(key)
      if change.kind.isConditional { try await client.requireConditions(at: names.probe) }
      return try await order.withTurn(.key(key)) {
        switch change.kind {
        case .set(let expiry), .replace(let expiry):
          try await put(change.object, name, resolved(expiry))
        case .setIfAbsent(let expiry): try await storeIfAbsent(change.object, name, resolved(expiry))
        case .touch(let expiry): try await touch(name, resolved(expiry))
        case .remove, .forget: try await client.delete(name.text)
        }
      }
    }
  }

  /// Stores several values by concurrent requests, or removes the entries of several keys, 1 000 per request.
  ///
  /// Each key is independent: if the call throws, some may be changed.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) async throws {
    try how.refuseAtOnce()
    if case .remove(let keys) = batch {
      return try await explaining(batch.aim) {
        for part in Array(Set(keys)).parts(of: 1000) {
          try await order.withTurn(.keys(Set(part))) {
            try await client.delete(part.map { names.name($0).text })
          }
        }
      }
    }
    var entries: [(key: Key, object: Data, expiry: Expiry)] = []
    batch.forEachObject(own: expiry, by: clock) { entries.append(($0, $1, $2)) }
    _ = try await concurrently(entries, limit: client.config.connections) { entry in
      try await self.change(entry.key, .set(entry.object, entry.expiry), [])
    }
  }

  /// Stores a value with a resolved expiry. Returns `false`, and changes nothing, if the condition does not hold.
  func put(
    _ object: Data, _ name: ObjectNames.Name, _ expiry: Expiry, if condition: Condition? = nil
  ) async throws -> Bool {
    guard object.count <= client.config.maximumValueSize else {
      throw StorageError.tooLarge.with(
        "the value has \(object.count) bytes, more than S3Config.maximumValueSize, \(client.config.maximumValueSize): write it a part at a time, or raise the limit"
      )
    }
    let body = name.head.isEmpty ? object : Data(name.head) + object
    if body.count > client.config.multipartThreshold {
      return try await upload(body, name, expiry, if: condition)
    }
    return try await putWhole(body, name, expiry, if: condition)
  }

  /// Stores an object, including the text of a hashed key, by one request. Returns `false`, and changes nothing, if the
  /// condition does not hold.
  func putWhole(
    _ body: Data, _ name: ObjectNames.Name, _ expiry: Expiry, if condition: Condition?
  ) async throws -> Bool {
    try await markExpiring(expiry)
    let request = S3Request(
      method: "PUT", name: name.text,
      fields: StoredObject.fields(expiry) + (condition.map { [$0.field] } ?? []), body: body,
      repetition: condition == nil ? .ifAnswered : .ifRefused)
    return try await isStored(by: request, condition)
  }

  /// Sends a request that stores an object. Returns `false` if the write's condition does not hold.
  func isStored(by request: S3Request, _ condition: Condition?) async throws -> Bool {
    guard condition != nil else {
      _ = try await client.send(request)
      return true
    }
    // A server answers 404 to `If-Match` if there is no object.
    let response = try await client.send(request, expecting: [404, 409, 412])
    return response.isSuccess
  }

  /// Stores the expiry mark, which shows all clients that entries may expire, before the first entry with an expiry.
  ///
  /// Stores it again after an hour, since a lifecycle rule of the bucket may remove it together with old entries.
  func markExpiring(_ expiry: Expiry) async throws {
    guard case .date = expiry else { return }
    let mark = names.expiryMark
    let now = ContinuousClock.now
    let isMarked = client.knowledge.withLock { knowledge in
      knowledge.marked[mark].map { now - $0 < .seconds(3600) } ?? false
    }
    if isMarked { return }
    _ = try await client.send(S3Request(method: "PUT", name: mark, body: Data()))
    client.knowledge.withLock {
      $0.marked[mark] = now
      $0.expiring.insert(mark)
    }
  }
}

/// The state of the object that a conditional write requires.
enum Condition: Sendable {
  case absent
  case matching(String)

  var field: (name: String, value: String) {
    switch self {
    case .absent: ("If-None-Match", "*")
    case .matching(let etag): ("If-Match", etag)
    }
  }
}
