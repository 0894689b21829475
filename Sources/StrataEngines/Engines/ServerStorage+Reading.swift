#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension ServerStorage {
  /// Returns the stored entry, or `nil`; it may have expired.
  ///
  /// Throws `.malformedFileAttributes` for a record that is not Strata's.
  public func read(_ key: Key, _ how: How) async throws -> Entry<Data>? {
    guard try how.mayRead() else { return nil }
    return try await explaining("read the entry", key) { try await stored(names[key])?.entry }
  }

  /// Returns the entries of many keys, read in batches of 100.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Data>] {
    guard try how.mayRead() else { return [:] }
    return try await explaining("read the entries") {
      var found: [Key: Entry<Data>] = [:]
      for part in keys.parts(of: Self.partSize) {
        for (key, record) in zip(part, try await server.read(part.map { names[$0].text })) {
          guard let record else { continue }
          found[key] = try await explaining("read the entry", key) { try record.parsed { $0.entry } }
        }
      }
      return found
    }
  }

  /// Returns at most `limit` keys of entries that have not expired after a cursor, in the order of the server.
  ///
  /// Reads the entries that may expire, and those whose keys are too long for the server. Entries that are stored or
  /// removed meanwhile may or may not be listed.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await explaining("list the entries") {
      var position = try cursor?.position() ?? ServerPosition(rest: [], next: nil)
      if position.rest.isEmpty {
        let page = try await server.names(beginning: names.prefix, after: position.next)
        position = ServerPosition(rest: page.keys[...], next: page.next)
      }
      let part = position.rest.prefix(max(1, limit))
      position.rest = position.rest.dropFirst(part.count)
      let isLast = position.rest.isEmpty && position.next == nil
      return KeyPage(keys: try await keys(of: part), next: isLast ? nil : KeyCursor(position))
    }
  }

  /// Returns the keys of names whose entries have not expired. Leaves out records of other programs.
  private func keys(of listed: ArraySlice<ServerName>) async throws -> [Key] {
    var keys: [Key] = []
    for part in Array(listed).parts(of: Self.partSize) {
      let unknown = part.filter { $0.mayExpire || names.isHashed($0.text) }.map(\.text)
      var records: [String: ServerRecord] = [:]
      if !unknown.isEmpty {
        for (name, record) in zip(unknown, try await server.read(unknown)) { records[name] = record }
      }
      for name in part {
        let key: Key? =
          if name.mayExpire || names.isHashed(name.text) {
            records[name.text]?.bytes.withUnsafeBytes { bytes in
              EngineRecord(bytes).flatMap { record in
                record.expiry.isExpired(by: clock) ? nil : names.key(of: name.text, record)
              }
            }
          } else {
            names.key(of: name.text, nil)
          }
        if let key { keys.append(key) }
      }
    }
    return keys
  }

  /// Returns the entry of a name, and the version of its record.
  func stored(_ name: ServerNames.Name) async throws -> (entry: Entry<Data>, version: String)? {
    guard let record = try await server.read([name.text]).first ?? nil else { return nil }
    return (try record.parsed { $0.entry }, record.version)
  }

  /// Calls `body` with the names of all entries, page by page.
  func eachPart(_ body: (ArraySlice<ServerName>) async throws -> Void) async throws {
    var cursor: KeyCursor?
    repeat {
      let page = try await server.names(beginning: names.prefix, after: cursor)
      for part in page.keys.parts(of: Self.partSize) { try await body(part) }
      cursor = page.next
    } while cursor != nil
  }
}

/// A position in the names on a server.
private struct ServerPosition: Sendable {
  /// The listed names that are yet to be returned.
  var rest: ArraySlice<ServerName>
  /// The server's cursor for the names after this page.
  let next: KeyCursor?
}
