import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OpenStore {
  /// Whether the store reads and writes values a part at a time, so that it needs no memory for a whole value.
  var keepsParts: Bool { storage.traits.keepsParts }

  /// The number of bytes from which a value is copied a part at a time.
  static let largeSize = 1 << 20

  /// Returns the entries of many keys, and the keys of the values that are large, which are not read. Reports damaged
  /// entries as skipped.
  func smallEntries(
    forKeys keys: [String]
  ) async throws -> (entries: [String: Entry<Data>], large: [String]) {
    try await withThrowingTaskGroup(of: (entries: [String: Entry<Data>], large: [String]).self) { group in
      // A server answers the requests of several tasks at the same time.
      for part in keys.parts(of: max(1, keys.count / 8)) {
        group.addTask {
          var (entries, large) = ([String: Entry<Data>](), [String]())
          for key in part {
            guard let bytes = try await stream(key) else { continue }
            if bytes.length > Self.largeSize {
              large.append(key)
            } else if let data = try await skippingDamage(key, { try await bytes.data() }) {
              entries[key] = Entry(object: data, expiry: bytes.expiry)
            }
          }
          return (entries, large)
        }
      }
      var all = (entries: [String: Entry<Data>](), large: [String]())
      for try await part in group {
        all.entries.merge(part.entries) { $1 }
        all.large += part.large
      }
      return all
    }
  }

  /// Returns the bytes of an entry, or `nil` if there is none, or it is damaged.
  func stream(_ key: String) async throws -> StoredBytes? {
    try await skippingDamage(key) { try await storage.stream(key, nil, []) } ?? nil
  }

  /// Returns the result of `read`, or reports a damaged entry as skipped and returns `nil`.
  func skippingDamage<R>(_ key: String, _ read: () async throws -> R) async throws -> R? {
    do { return try await read() } catch let error as StorageError where error == .malformedFileAttributes {
      try skipped.add(error, key, of: self)
      return nil
    }
  }
}
