package import Foundation
package import StrataCore
import Testing

/// A store that keeps large values in parts, for the checks of `StreamRule`.
package struct StreamSubject: Sendable {
  /// The clock of the store; `nil` if a server's clock decides.
  let clock: ManualClock?
  /// Opens the store. Each call opens the same one, as another process would.
  let open: @Sendable () async throws -> any StorageAware<String, Data>
  /// Returns the number of records of parts, read behind the store's back.
  let partCount: @Sendable () async throws -> Int
  /// Changes a byte of each part with a number, behind the store's back.
  let damage: @Sendable (_ number: Int) async throws -> Void
  /// Lets a writer's lease end.
  let lapse: @Sendable () async throws -> Void

  package init(
    clock: ManualClock?, open: @escaping @Sendable () async throws -> any StorageAware<String, Data>,
    partCount: @escaping @Sendable () async throws -> Int,
    damage: @escaping @Sendable (_ number: Int) async throws -> Void,
    lapse: (@Sendable () async throws -> Void)? = nil
  ) {
    (self.clock, self.open, self.partCount, self.damage) = (clock, open, partCount, damage)
    self.lapse = lapse ?? { clock?.advance(by: stagingLease + 1) }
  }

  /// Checks that no part is stored, once the store has had an occasion to remove them.
  func hasNoParts(
    _ store: any StorageAware<String, Data>, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await store.removeExpiredObjects()
    let count = try await partCount()
    #expect(count == 0, "parts that nobody has", sourceLocation: sourceLocation)
  }
}

extension StorageAware where Value == Data {
  /// Reads a range by parts, and returns the bytes in memory.
  func streamed(_ key: Key, _ range: Range<Int>? = nil) async throws -> Data {
    try await read(forKey: key, range: range).data()
  }

  func setIfAbsent(_ data: Data, _ key: Key) async throws -> Bool {
    try await change(key, .setIfAbsent(data, nil), [])
  }

  func touch(_ key: Key, _ expiry: Expiry) async throws -> Bool {
    try await change(key, .touch(expiry), [])
  }

  /// Writes a value in pieces of an odd size.
  func stream(_ data: Data, _ key: Key, _ expiry: Expiry? = nil) async throws {
    try await write(forKey: key, expiry: expiry, from: PartSequence(data, by: 99_991))
  }
}
