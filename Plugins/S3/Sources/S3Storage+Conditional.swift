#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension S3Storage: UpdateableStorage {
  /// Reads, modifies and stores a value, atomically for all processes, and returns the stored value. The expiry is
  /// unchanged.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. If another client changes the
  /// entry meanwhile, `modify` runs again on the new value. A change is never made twice: if a lost connection leaves
  /// it unknown whether the change was made, `update` throws `.backendFailed`.
  ///
  /// Takes two requests. Updates of one key through this store take turns.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    try await explaining("update the entry", key) {
      let name = names.name(key)
      try await client.requireConditions(at: names.probe)
      return try await order.withTurn(.key(key)) {
        try await repeating {
          guard let (value, object) = try await stored(name), !object.expiry.isExpired(by: clock) else {
            throw StorageError.notFound
          }
          var changed = value
          try modify(&changed)
          return try await put(changed, name, object.expiry, if: .matching(object.etag)) ? changed : nil
        }
      }
    }
  }

  /// Repeats an attempt, after short random pauses, as long as it returns `nil` because another client has changed the
  /// object. Throws after a hundred attempts.
  func repeating<R>(_ attempt: () async throws -> R?) async throws -> R {
    var delay = RetryDelay()
    var random = SystemRandomNumberGenerator()
    while delay.attempts < 100 {
      if let result = try await attempt() { return result }
      try await client.pause(delay.next(using: &random) / 10)
    }
    throw StorageError.backendFailed.with(
      "other clients changed the entry during each of a hundred attempts: try again later")
  }
}

extension S3Storage: ConditionalStorage {
  /// Stores bytes if the key has no value, or an expired one. Of concurrent callers on all machines, one succeeds.
  ///
  /// Takes one request, and three if there is an expired value.
  func storeIfAbsent(_ object: Data, _ name: ObjectNames.Name, _ expiry: Expiry) async throws -> Bool {
    try await storeIfAbsent(name) { try await put(object, name, expiry, if: $0) }
  }

  /// Stores an object by a function that returns `false` if a condition does not hold.
  func storeIfAbsent(
    _ name: ObjectNames.Name, _ store: (Condition) async throws -> Bool
  ) async throws -> Bool {
    try await repeating {
      if try await store(.absent) { return true }
      guard let head = try await client.read(name.text, method: "HEAD") else { return nil }
      let old = try StoredObject(head)
      if !old.expiry.isExpired(by: clock) { return false }
      return try await store(.matching(old.etag)) ? true : nil
    }
  }

  /// Changes the expiry of an entry without changing its value. Returns `false` if there is no entry.
  ///
  /// Takes three requests: S3 cannot change the fields of an object, so the object is stored again. Values of more than
  /// `S3Config.multipartThreshold` bytes are copied by the server, up to its limit, which is 5 GB at AWS.
  func touch(_ name: ObjectNames.Name, _ expiry: Expiry) async throws -> Bool {
    try await repeating {
      guard let head = try await client.read(name.text, method: "HEAD") else { return false }
      let object = try StoredObject(head)
      if object.expiry.isExpired(by: clock) { return false }
      if object.size > client.config.multipartThreshold {
        return try await copyOntoItself(name, object, expiry) ? true : nil
      }
      guard let (value, read) = try await stored(name), read.etag == object.etag else { return nil }
      return try await put(value, name, expiry, if: .matching(read.etag)) ? true : nil
    }
  }

  /// Copies an object onto itself on the server, with other fields. Returns `false` if the object has been replaced
  /// meanwhile.
  private func copyOntoItself(
    _ name: ObjectNames.Name, _ object: StoredObject, _ expiry: Expiry
  ) async throws -> Bool {
    try await markExpiring(expiry)
    let source = "/\(client.config.bucket)/\(Encoding.percent(name.text, keepingSlashes: true))"
    let condition = Condition.matching(object.etag)
    let request = S3Request(
      method: "PUT", name: name.text,
      fields: StoredObject.fields(expiry) + [
        ("x-amz-copy-source", source), ("x-amz-copy-source-if-match", object.etag),
        ("x-amz-metadata-directive", "REPLACE"), condition.field,
      ], repetition: .ifRefused)
    let response = try await client.send(request, expecting: [404, 409, 412])
    if !response.isSuccess { return false }
    _ = try response.document("CopyObjectResult")
    return true
  }
}
