#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension S3Storage {
  /// Returns the entry of a key, or `nil`. Sends one request. The entry may have expired without having been removed.
  /// If only the expiry is wanted, the value is not transferred.
  ///
  /// Throws `.tooLarge` for a value of more than `S3Config.maximumValueSize` bytes: use `read(forKey:range:)`.
  public func read(_ key: Key, _ how: How) async throws -> Entry<Data>? {
    guard try how.mayRead() else { return nil }
    if how.contains(.expiryOnly) {
      return try await explaining("read the expiry", key) {
        try await client.read(names.name(key).text, method: "HEAD").map {
          Entry(expiry: try StoredObject($0).expiry)
        }
      }
    }
    return try await explaining("read the entry", key) {
      try await stored(names.name(key)).map { Entry(object: $0.value, expiry: $0.object.expiry) }
    }
  }

  /// Reads several keys by concurrent requests, `S3Config.connections` at a time.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Data>] {
    let found = try await concurrently(Array(Set(keys)), limit: client.config.connections) { key in
      (key, try await self.read(key, how))
    }
    var entries: [Key: Entry<Data>] = [:]
    for (key, entry) in found { entries[key] = entry }
    return entries
  }

  /// Returns the value of an object with its other parts, or `nil` if there is no object.
  func stored(_ name: ObjectNames.Name) async throws -> (value: Data, object: StoredObject)? {
    let content = S3Request.Content.value(limit: valueLimit, head: name.head.count)
    // One byte more than the limit is requested, to notice larger values without transferring them.
    let range = [(name: "Range", value: "bytes=0-\(content.limit)")]
    guard let response = try await client.read(name.text, fields: range, content: content) else { return nil }
    return (try StoredObject.value(of: response.data, name), try StoredObject(response))
  }

  var valueLimit: Int { min(client.config.maximumValueSize, 1 << 62) }
}

/// Runs an operation on each element, at most `limit` at a time, and returns the results in no particular order. Throws
/// the first error, without starting further operations.
func concurrently<Element: Sendable, R: Sendable>(
  _ elements: some Sequence<Element>, limit: Int,
  _ body: @escaping @Sendable (Element) async throws -> R
) async throws -> [R] {
  try await withThrowingTaskGroup(of: R.self) { group in
    var rest = elements.makeIterator()
    var results: [R] = []
    for _ in 0..<max(limit, 1) {
      guard let element = rest.next() else { break }
      group.addTask { try await body(element) }
    }
    while let result = try await group.next() {
      results.append(result)
      if let element = rest.next() { group.addTask { try await body(element) } }
    }
    return results
  }
}
