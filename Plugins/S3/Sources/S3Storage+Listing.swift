#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension S3Storage {
  /// Returns the keys of all entries that have not expired, by the bytes of their names. Pages need less memory.
  ///
  /// Each thousand keys are one request. If the store has ever had an entry with an expiry, each key needs another
  /// request, since lists do not contain expiries. Keys that the key type cannot decode are omitted.
  public func keys() async throws -> [Key] { try await keysOfAllPages() }

  /// Returns a page of the keys of entries that have not expired. The cursor is the server's token.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
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

  /// Removes all entries, 1 000 in a request. Entries that are stored meanwhile may or may not be removed.
  public func removeAll() async throws {
    try await explaining("remove all entries") {
      try await eachPage { page in try await client.delete(page.filter { names.read($0) != nil }) }
    }
  }

  /// Removes expired entries: lists all, and asks for the expiry of each. Does nothing if no entry of the store has
  /// ever had an expiry.
  ///
  /// An entry that is stored again at the same moment stays. Among several machines that requires a server with
  /// conditional deletion (`If-Match`), and other bytes than before.
  public func removeExpiredObjects() async throws {
    try await explaining("remove the expired entries") {
      if try await !mayExpire() { return }
      try await eachPage { page in
        _ = try await concurrently(page, limit: client.config.connections) { [self] name in
          try await sweep(name)
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
    // Looked at again in the key's turn, so that no write of this store comes in between.
    try await order.withTurn(.key(key)) {
      guard let head = try await client.read(name, method: "HEAD") else { return }
      let object = try StoredObject(head)
      if object.expiry.isExpired(by: clock) { _ = try await client.delete(name, ifMatch: object.etag) }
    }
  }

  /// Calls a function with the names of the store's objects, a thousand at a time.
  private func eachPage(_ body: ([String]) async throws -> Void) async throws {
    var token: String?
    repeat {
      let page = try await client.list(prefix: names.prefix, after: token, limit: 1000)
      try await body(page.names)
      token = page.next
    } while token != nil
  }

  /// Returns whether entries of the store may expire: whether the mark is stored.
  private func mayExpire() async throws -> Bool {
    let mark = names.expiryMark
    if client.knowledge.withLock({ $0.expiring.contains(mark) }) { return true }
    guard try await client.read(mark, method: "HEAD") != nil else { return false }
    _ = client.knowledge.withLock { $0.expiring.insert(mark) }
    return true
  }

  /// Returns the key of a name, or `nil` if it is none of this store, or its entry has expired or is gone.
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

  /// Returns the text of a key, with the expiry of its entry if it was read too. `nil` if the object is gone.
  private func text(_ reading: ObjectNames.Reading, _ name: String) async throws -> (
    text: String, expiry: Expiry?
  )? {
    switch reading {
    case .text(let text): return (text, nil)
    case .stored(let count):
      let range = [(name: "Range", value: "bytes=0-\(count - 1)")]
      guard let response = try await client.read(name, fields: range),
        let text = String(validating: response.data.prefix(count), as: UTF8.self)
      else { return nil }
      return (text, try StoredObject(response).expiry)
    }
  }
}
