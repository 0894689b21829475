#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension PostgresStorage {
  /// Returns the keys of all entries that have not expired, in ascending order of their first 1 024 bytes. Keys that
  /// the key type cannot decode are omitted.
  ///
  /// It reads a page after the other. Entries stored or removed meanwhile may or may not be listed.
  public func keys() async throws -> [Key] {
    var all: [Key] = []
    var place: [UInt8]?
    repeat {
      let page = try await page(after: place, limit: 5000)
      all += page.keys
      place = page.next
    } while place != nil
    return all
  }

  /// Returns the keys after a place in the table, with the place of the last one; `nil` at the end.
  func page(after place: [UInt8]?, limit: Int) async throws -> (keys: [Key], next: [UInt8]?) {
    do {
      let rows = try await run(place == nil ? table.firstPage : table.nextPage) {
        $0.appendNow(clock)
        $0.append(limit)
        if let place { $0.append(place) }
      }
      let count = rows.count
      let keys = (0..<count).compactMap { row in
        (rows.withBytes(row, 1, { Self.key($0) }) ?? rows.withBytes(row, 0, { Self.key($0) })) ?? nil
      }
      return (keys, count < limit ? nil : rows.withBytes(count - 1, 0) { [UInt8]($0) })
    } catch { throw client.explained(error, "list the entries") }
  }
}
