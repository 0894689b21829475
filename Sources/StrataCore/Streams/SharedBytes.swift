#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value that is read from its source once, staged in a store meanwhile, and read by several readers at their own
/// pace.
///
/// A reader at the front reads the next part from the source, for all. The others read what has been staged. No reader
/// waits for a slower one. The parts are read by a task of their own, so a reader that is cancelled stops no other. When
/// the last part has been read, the value is committed, and then the last part is returned. When the last reader has
/// gone before, the staged value is discarded.
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
    var lastID = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  /// The value, as its source returns it.
  let value: StoredBytes
  private let state = Locked(State())
  private let staged: any StagedBytes
  private let source: Source
  private let commit: @Sendable (any StagedBytes) async throws -> Bool
  private let isRepeatable: Bool

  /// - Parameters:
  ///   - isRepeatable: whether the source can be read again. If so, an error of the store does not end the download:
  ///     each reader reads the rest from the source.
  ///   - commit: commits the staged value, after its last byte, and returns whether it is stored.
  package init(
    _ value: StoredBytes, isRepeatable: Bool, staging staged: any StagedBytes,
    commit: @escaping @Sendable (any StagedBytes) async throws -> Bool
  ) {
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

extension SharedBytes {
  fileprivate enum Step: Sendable {
    case part(Data)
    case staged
    case wait(pulls: Bool)
    case unstored
    case fail(any Error)
  }

  /// Returns bytes at an offset, or `nil` if the store does not have them.
  private func part(at offset: Int, count: Int) async throws -> Data? {
    while true {
      switch state.withLock({ $0.step(at: offset) }) {
      case .part(let part): return part.prefix(count)
      case .staged:
        do {
          let size = min(count, StoredBytes.partSize)
          if let part = try await staged.bytes(at: offset, count: size), !part.isEmpty { return part }
        } catch { if !isRepeatable || error is CancellationError { throw error } }
        if !isRepeatable { throw StorageError.backendFailed.with("the store has lost bytes of a download") }
        return nil
      case .wait(let pulls):
        if pulls { Task { await pull() } }
        try await change()
      case .unstored: return nil
      case .fail(let error): throw error
      }
    }
  }

  /// Suspends until a part has been staged, or never will be.
  private func change() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.isPulling || Task.isCancelled { return true }
          state.waiting[id] = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
    try Task.checkCancellation()
  }

  /// Reads one part from the source, and stages it.
  private func pull() async {
    let part: Data?
    do {
      part = try await source.next()
    } catch { return end { $0.error = error } }
    let count = state.withLock { $0.count }
    guard let part, !part.isEmpty, count + part.count <= value.length else {
      return end {
        $0.error = StorageError.backendFailed.with(
          "the source returned \(count + (part?.count ?? 0)) bytes instead of \(self.value.length)")
      }
    }
    do {
      try await staged.append(part)
      let isLast = count + part.count == value.length
      let isCommitted = isLast ? try await commit(staged) : false
      end {
        $0.last = (count, part)
        $0.count = count + part.count
        $0.isCommitted = isCommitted
      }
    } catch {
      end {
        $0.isUnstored = true
        if !self.isRepeatable { $0.error = error }
      }
    }
  }

  private func end(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      state.isPulling = false
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in waiting { continuation.resume() }
  }

  /// The source, which one task reads at a time.
  ///
  /// Unchecked: only `pull` uses it, which runs only in the task that has set `isPulling`, under the lock.
  private final class Source: @unchecked Sendable {
    private var parts: StoredBytes.Iterator

    init(_ value: StoredBytes) { parts = value.makeAsyncIterator() }

    func next() async throws -> Data? { try await parts.next() }
  }
}

extension SharedBytes.State {
  /// Returns what a reader at an offset does next. A reader that is told to pull must do so.
  fileprivate mutating func step(at offset: Int) -> SharedBytes.Step {
    if let last, offset >= last.offset, offset < last.offset + last.part.count {
      return .part(last.part.dropFirst(offset - last.offset))
    }
    if isUnstored { return error.map { .fail($0) } ?? .unstored }
    if offset < count { return .staged }
    if let error { return .fail(error) }
    defer { isPulling = true }
    return .wait(pulls: !isPulling)
  }
}
