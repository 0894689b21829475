#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value that is read from its source once, staged in a store meanwhile, and read by several readers at their own
/// pace.
///
/// The reader that is furthest reads the next part from the source, for all. The others read what has been staged. No
/// reader waits for a slower one. A task of its own reads each part, so a reader that is cancelled stops no other. When
/// the last part has been read, the value is committed, and then the last part is returned. If all readers leave
/// before, the staged value is discarded.
package final class SharedBytes: Sendable {
  struct State: Sendable {
    /// The number of bytes that have been read and staged.
    var count = 0
    var isPulling = false
    var isCommitted = false
    /// The latest part, for readers that are not behind, and its offset.
    var last: (offset: Int, part: Data)?
    /// The error that ends the download for all readers.
    var error: (any Error)?
    /// Whether the store has refused the bytes: each reader reads the rest from the source.
    var isUnstored = false
    /// The number of bytes that the store has, if the download goes on without it.
    var kept: Int?
    /// The latest parts of a download that goes on without the store, for readers that are a little behind.
    var recent: [(offset: Int, part: Data)] = []
    var lastID = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  /// The value, as its source returns it.
  package let value: StoredBytes
  let state = Locked(State())
  let staged: any StagedBytes
  let source: Source
  let commit: @Sendable (any StagedBytes) async throws -> Bool
  let isRepeatable: Bool
  let goesOn: @Sendable (any Error) async throws -> Bool
  /// The number of bytes of the latest parts that are kept in memory while a download goes on without the store.
  static let recentBytes = 4 << 20

  /// - Parameters:
  ///   - isRepeatable: whether the source can be read again. If so, an error of the store does not end the download:
  ///     each reader reads the rest from the source.
  ///   - goesOn: called with an error of the store. Returns whether the download goes on without the store. Then the
  ///     reader that is furthest still reads the source for all, and one that is far behind reads the value again.
  ///   - commit: commits the staged value, after its last byte, and returns whether it is stored.
  package init(
    _ value: StoredBytes, isRepeatable: Bool, staging staged: any StagedBytes,
    goesOn: @escaping @Sendable (any Error) async throws -> Bool = { _ in false },
    commit: @escaping @Sendable (any StagedBytes) async throws -> Bool
  ) {
    self.goesOn = goesOn
    self.value = value
    self.isRepeatable = isRepeatable
    self.staged = staged
    self.commit = commit
    source = Source(value)
  }

  deinit {
    if state.withLock({ $0.isCommitted }) { return }
    let staged = staged
    Task { await staged.discard() }
  }

  /// Whether an error has ended the download for all readers.
  package var hasFailed: Bool { state.withLock { $0.error != nil } }

  /// Returns a reader of a range.
  func parts(_ range: Range<Int>) -> StoredBytes.Parts {
    var offset = range.lowerBound
    var direct: StoredBytes.Iterator?
    return {
      if direct == nil {
        if offset == range.upperBound { return nil }
        if let part = try await self.part(at: offset, count: range.upperBound - offset) {
          offset += part.count
          return part
        }
        direct = self.value.reading(offset..<range.upperBound).makeAsyncIterator()
      }
      return try await direct?.next()
    }
  }

  /// Returns whether a reader that begins at an offset follows the download. One that begins far ahead would wait: it
  /// reads the source, if that is possible.
  private func isNear(_ offset: Int) -> Bool {
    !isRepeatable || state.withLock { offset <= $0.count && !$0.isUnstored }
  }

  /// The bytes of the value, for a reader that follows the download.
  package var bytes: StoredBytes {
    StoredBytes(
      length: value.length, range: value.range, expiry: value.expiry, version: value.version,
      modified: value.modified
    ) { range in
      if self.isNear(range.lowerBound) { return self.parts(range) }
      var parts = self.value.reading(range).makeAsyncIterator()
      return { try await parts.next() }
    }
  }
}
