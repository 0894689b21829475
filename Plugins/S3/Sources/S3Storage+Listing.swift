#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension S3Storage {
  /// Returns a page of the keys of entries that have not expired, ordered by the bytes of their object names. The
  /// cursor contains the server's continuation token.
  ///
  /// Sends one request for at most a thousand keys. If the store has ever had an entry with an expiry, sends one more
  /// request for each key, since S3's lists do not contain expiries. Omits keys that the key type cannot decode.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await explaining("list the entries") {
      let token = try cursor?.position(as: String.self)
      let page = try await client.list(prefix: names.prefix, after: token, limit: limit)
      let mayExpire = try await mayExpire()
      let found = try await concurrently(page.names.enumerated(), limit: client.config.connections) {
        [self] index, name in (index, try await liveKey(of: name, mayExpire: mayExpire))
      }
      let keys = found.sorted { $0.0 < $1.0 }.compactMap(\.1)
      return KeyPage(keys: keys, next: page.next.map { KeyCursor($0) })
    }
  }

  /// Removes all entries, 1 000 per request, or those that have expired.
  ///
  /// Entries that are stored meanwhile may or may not be removed. For the expired entries, lists all objects and
  /// requests the expiry of each, unless no entry of the store has ever had an expiry. Both also delete the parts of
  /// uploads that were begun more than a day ago, whose processes have died. An expired entry that
  /// is stored again at the same moment is kept. For writes by other machines, this requires a server with conditional
  /// deletion (`If-Match`), and new bytes that differ from the old ones.
  public func clear(_ extent: StoreExtent) async throws {
    try await explaining(extent.aim) {
      try await abortAbandonedUploads()
      switch extent {
      case .everything:
        try await eachPage { page in try await client.delete(page.filter { names.read($0) != nil }) }
      case .expired:
        if try await !mayExpire() { return }
        try await eachPage { page in
          _ = try await concurrently(page, limit: client.config.connections) { [self] name in
            try await sweep(name)
          }
        }
      }
    }
  }

  private func sweep(_ name: String) async throws {
    guard let reading = names.read(name), let head = try await client.read(name, method: "HEAD"),
      try StoredObject(head).expiry.isExpired(by: clock)
    else { return }
    let text: String? = try await self.text(reading, name)?.text
    guard let text, let key = names.key(text, as: Key.self) else {
      _ = try await client.delete(name, ifMatch: StoredObject(head).etag)
      return
    }
    // Read the expiry again during the key's turn: this store then cannot write the entry between the check and the
    // removal.
    try await order.withTurn(.key(key)) {
      guard let head = try await client.read(name, method: "HEAD") else { return }
      let object = try StoredObject(head)
      if object.expiry.isExpired(by: clock) { _ = try await client.delete(name, ifMatch: object.etag) }
    }
  }

  /// Calls a function with the names of the store's objects, up to 1 000 at a time.
  private func eachPage(_ body: ([String]) async throws -> Void) async throws {
    var token: String?
    repeat {
      let page = try await client.list(prefix: names.prefix, after: token, limit: 1000)
      try await body(page.names)
      token = page.next
    } while token != nil
  }

  /// Returns whether entries of the store may expire, by looking for the expiry mark.
  private func mayExpire() async throws -> Bool {
    let mark = names.expiryMark
    if client.knowledge.withLock({ $0.expiring.contains(mark) }) { return true }
    guard try await client.read(mark, method: "HEAD") != nil else { return false }
    _ = client.knowledge.withLock { $0.expiring.insert(mark) }
    return true
  }

  /// Returns the key of a name, or `nil` if the name belongs to no key, or the entry has expired or been removed.
  private func liveKey(of name: String, mayExpire: Bool) async throws -> Key? {
    guard let reading = names.read(name), let (text, known) = try await text(reading, name) else {
      return nil
    }
    guard let key = names.key(text, as: Key.self) else { return nil }
    if !mayExpire { return key }
    var expiry = known
    if expiry == nil {
      expiry = try await client.read(name, method: "HEAD").map { try StoredObject($0).expiry }
    }
    guard let expiry, !expiry.isExpired(by: clock) else { return nil }
    return key
  }

  /// Returns the text of a key, and the expiry of its entry if the object had to be read for that. Returns `nil` if the
  /// object has been removed.
  private func text(_ reading: ObjectNames.Reading, _ name: String) async throws -> (
    text: String, expiry: Expiry?
  )? {
    switch reading {
    case .text(let text): return (text, nil)
    case .stored(let count):
      let range = [(name: "Range", value: "bytes=0-\(count - 1)")]
      let content = S3Request.Content.value(limit: valueLimit, head: count)
      guard let response = try await client.read(name, fields: range, content: content),
        let text = String(validating: response.data.prefix(count), as: UTF8.self)
      else { return nil }
      return (text, try StoredObject(response).expiry)
    }
  }
}
