#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A value that is being written as a stream.
///
/// A value below the sink's threshold stays in memory, and is then stored like any value. The parts of a larger one are
/// written to a temporary file on threads of a pool, while the caller obtains the next part.
final class StagedValue: StagedBytes {
  private struct State: Sendable {
    var file: NewPartFile?
    /// The parts that are not written yet, the oldest first. One job writes them, one after the other: the system would
    /// not let two threads write to one file at a time.
    var writing: [Part] = []
    var isRunning = false
    /// The error of a part that could not be written.
    var failure: (any Error)?
    /// The task that waits until at most so many parts are left.
    var waiter: (count: Int, CheckedContinuation<Void, any Error>)?
    /// The number of parts that are, or will be, written.
    var parts = 0
    /// The bytes behind these parts: less than a part.
    var rest = Data()
    /// The number of bytes that have been appended.
    var length = 0
    var isOver = false

    /// Moves the bytes behind the parts into a part of their own, which waits to be written, and returns it. In one
    /// step: others may read any byte at any time.
    mutating func takeRest() -> Data {
      defer { rest = Data() }
      return adding(rest)
    }

    /// Adds a part that waits to be written, and returns it.
    mutating func adding(_ bytes: Data) -> Data {
      writing.append(Part(number: parts, bytes: bytes))
      parts += 1
      return bytes
    }
  }

  private struct Part: Sendable {
    let number: Int
    let bytes: Data
    var offset: Int { number * PartTable.partLength }
  }

  /// The number of parts that may wait: the thread that writes them always finds the next one.
  private static let depth = 3

  private let sink: any StreamSink
  private let pool: BlockingPool
  private let state = Locked(State())

  init(in sink: any StreamSink, on pool: BlockingPool) {
    self.sink = sink
    self.pool = pool
  }

  func append(_ bytes: Data) async throws {
    try refuseOver()
    let length = state.withLock { $0.length + bytes.count }
    try sink.refuse(length: length)
    state.withLock { $0.length = length }
    var rest = bytes
    while !rest.isEmpty {
      let part: Data? = state.withLock { state in
        if state.rest.isEmpty, rest.count >= PartTable.partLength {
          defer { rest = rest.dropFirst(PartTable.partLength) }
          return state.adding(rest.prefix(PartTable.partLength))
        }
        if state.rest.isEmpty { state.rest.reserveCapacity(min(2 * rest.count, PartTable.partLength)) }
        let count = min(PartTable.partLength - state.rest.count, rest.count)
        state.rest.append(rest.prefix(count))
        rest = rest.dropFirst(count)
        return state.rest.count < PartTable.partLength ? nil : state.takeRest()
      }
      if let part { try await write(part) }
    }
  }

  /// Has a part that waits written, and waits if too many others do.
  private func write(_ bytes: Data) async throws {
    let file: NewPartFile
    if let opened = state.withLock({ $0.file }) {
      file = opened
    } else {
      do { file = try await pool.run { [sink] in try sink.explaining { try sink.makeFile() } } } catch {
        state.withLock { $0.failure = error }
        throw error
      }
      state.withLock { $0.file = file }
    }
    // Not on the thread that writes, which is the slower one.
    file.note(PartTable.sum(of: bytes))
    let isRunning = state.withLock { state in
      defer { state.isRunning = true }
      return state.isRunning
    }
    if !isRunning { pool.submit { [self] in writeAll(to: file) } }
    try await wait(untilAtMost: Self.depth - 1)
  }

  /// Writes the parts that wait.
  private func writeAll(to file: NewPartFile) {
    while let part = state.withLock({ state in
      if state.writing.isEmpty { state.isRunning = false }
      return state.writing.first
    }) {
      let failure = Result { try sink.explaining { try file.write(part.bytes, at: part.offset) } }.failure
      let waiter: CheckedContinuation<Void, any Error>? = state.withLock { state in
        if failure != nil { state.failure = failure }
        if failure == nil { state.writing.removeFirst() } else { state.writing = [] }
        guard let waiter = state.waiter, state.writing.count <= waiter.count else { return nil }
        state.waiter = nil
        return waiter.1
      }
      if let failure { waiter?.resume(throwing: failure) } else { waiter?.resume() }
    }
  }

  /// Waits until at most some parts are left to write. Throws the error of a part that could not be written.
  private func wait(untilAtMost count: Int) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result: Result<Void, any Error>? = state.withLock { state in
        if let failure = state.failure { return .failure(failure) }
        if state.writing.count <= count { return .success(()) }
        state.waiter = (count, continuation)
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }

  func bytes(at offset: Int, count: Int) async throws -> Data? {
    let (file, found, end): (NewPartFile?, Data?, Int) = state.withLock { state in
      let inMemory =
        state.writing.map { ($0.offset, $0.bytes) } + [(state.parts * PartTable.partLength, state.rest)]
      let start = inMemory[0].0
      guard let (first, bytes) = inMemory.last(where: { $0.0 <= offset }) else {
        return (state.file, nil, start)
      }
      return (state.file, bytes.dropFirst(offset - first).prefix(count), start)
    }
    if let found { return found }
    guard let file else { return nil }
    return try await pool.run { [sink] in
      try sink.explaining { try file.bytes(min(count, end - offset), at: offset) }
    }
  }

  func commit(ifAbsent: Bool) async throws -> Bool {
    try refuseOver()
    let (isFile, length) = state.withLock { ($0.file != nil || $0.length >= sink.threshold, $0.length) }
    if isFile {
      // It is less than a part, and so has not been written yet.
      if let last = state.withLock({ $0.rest.isEmpty ? nil : $0.takeRest() }) { try await write(last) }
      try await wait(untilAtMost: 0)
    }
    let (file, rest) = state.withLock { ($0.file, $0.rest) }
    let lease = StorageLease.inForce
    let isStored = try await pool.run { [sink] in
      try StorageLease.within(lease) {
        try sink.explaining {
          guard let file else { return try sink.store(rest, ifAbsent: ifAbsent) }
          let isStored = try sink.store(file, length: length, ifAbsent: ifAbsent)
          if !isStored { file.delete() }
          return isStored
        }
      }
    }
    state.withLock { $0.isOver = true }
    return isStored
  }

  func discard() async {
    if state.withLock({ $0.file == nil }) { return }
    // The value is not wanted any more, and neither is the error.
    do { try await wait(untilAtMost: 0) } catch {}
    // On a thread of the pool: deleting a long file takes a while.
    let file = state.withLock { state in
      state.isOver = true
      return state.file.take()
    }
    do { try await pool.run { file?.delete() } } catch {}
  }

  /// Throws if the value has been committed or discarded, or could not be written.
  private func refuseOver() throws {
    let (failure, isOver) = state.withLock { ($0.failure, $0.isOver) }
    if let failure { throw failure }
    if isOver { throw StorageError.backendFailed.with("the staged value has been committed or discarded") }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
