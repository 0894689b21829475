#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SharedBytes {
  fileprivate enum Step: Sendable {
    case part(Data)
    case staged
    case wait(pulls: Bool)
    case unstored
    case fail(any Error)
  }

  /// Returns bytes at an offset, or `nil` if the store does not have them.
  func part(at offset: Int, count: Int) async throws -> Data? {
    while true {
      switch state.withLock({ $0.step(at: offset) }) {
      case .part(let part): return part.prefix(count)
      case .staged:
        do {
          let size = min(count, StoredBytes.partSize)
          if let part = try await staged.bytes(at: offset, count: size), !part.isEmpty { return part }
        } catch { if !mayReadAgain || error is CancellationError { throw error } }
        if !mayReadAgain { throw StorageError.backendFailed.with("the store has lost bytes of a download") }
        return nil
      case .wait(let pulls):
        if pulls { Task { await pull() } }
        try await change()
      case .unstored: return nil
      case .fail(let error): throw error
      }
    }
  }

  private var mayReadAgain: Bool { isRepeatable || state.withLock { $0.kept != nil } }

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
    let (count, isStored) = state.withLock { ($0.count, $0.kept == nil) }
    guard let part, !part.isEmpty, count + part.count <= value.length else {
      return end {
        $0.error = StorageError.backendFailed.with(
          "the source returned \(count + (part?.count ?? 0)) bytes instead of \(self.value.length)")
      }
    }
    if !isStored { return end { $0.passOn(part) } }
    var kept = count
    do {
      try await staged.append(part)
      kept += part.count
      // The small pieces of a download leave much of each thread's heap free, and glibc keeps it.
      if count >> 22 != (count + part.count) >> 22 { FreedMemory.giveBack() }
      let isLast = count + part.count == value.length
      let isCommitted = isLast ? try await commit(staged) : false
      end {
        $0.last = (count, part)
        $0.count = count + part.count
        $0.isCommitted = isCommitted
      }
    } catch {
      var failure = error
      do {
        if try await goesOn(error) {
          return end { [kept] state in
            state.kept = kept
            state.passOn(part)
          }
        }
      } catch { failure = error }
      end { [failure] state in
        state.isUnstored = true
        if !self.isRepeatable { state.error = failure }
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
  final class Source: @unchecked Sendable {
    private var parts: StoredBytes.Iterator

    init(_ value: StoredBytes) { parts = value.makeAsyncIterator() }

    func next() async throws -> Data? { try await parts.next() }
  }
}

extension SharedBytes.State {
  /// Notes a part that is not stored.
  fileprivate mutating func passOn(_ part: Data) {
    last = (count, part)
    recent.append((count, part))
    count += part.count
    var bytes = recent.reduce(0) { $0 + $1.part.count }
    while bytes > SharedBytes.recentBytes, recent.count > 1 { bytes -= recent.removeFirst().part.count }
  }

  /// Returns what a reader at an offset does next. A reader that is told to pull must do so.
  fileprivate mutating func step(at offset: Int) -> SharedBytes.Step {
    if let last, offset >= last.offset, offset < last.offset + last.part.count {
      return .part(last.part.dropFirst(offset - last.offset))
    }
    if isUnstored { return error.map { .fail($0) } ?? .unstored }
    if let kept, offset >= kept, offset < count {
      let found = recent.first { offset >= $0.offset && offset < $0.offset + $0.part.count }
      return found.map { .part($0.part.dropFirst(offset - $0.offset)) } ?? .unstored
    }
    if offset < count { return .staged }
    if let error { return .fail(error) }
    defer { isPulling = true }
    return .wait(pulls: !isPulling)
  }
}
