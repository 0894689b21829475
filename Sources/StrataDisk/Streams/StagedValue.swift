#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataEngines

/// A value that is being written as a stream.
///
/// A value below the sink's threshold stays in memory, and is then stored like any value. The parts of a larger one are
/// written to a temporary file on threads of a pool, while the caller obtains the next part.
final class StagedValue<Sink: StreamSink>: StagedBytes {
  private struct State: Sendable {
    var file: NewPartFile?
    /// The parts that are being written, the oldest first.
    var writing: [Part] = []
    /// The number of parts that are, or are being, written.
    var parts = 0
    /// The bytes behind these parts: less than a part.
    var rest = Data()
    /// The number of bytes that have been appended.
    var length = 0
    var isOver = false
  }

  private struct Part: Sendable {
    let offset: Int
    let bytes: Data
    let job: PendingJob<Void>
  }

  /// The number of parts that are written at a time: while one is copied, the next one's checksum is computed.
  private static var depth: Int { 2 }

  private let sink: Sink
  private let pool: BlockingPool
  private let state = Locked(State())

  init(in sink: Sink, on pool: BlockingPool) {
    self.sink = sink
    self.pool = pool
  }

  func append(_ bytes: Data) async throws {
    let length = state.withLock { $0.isOver ? nil : $0.length + bytes.count }
    guard let length else { throw isOver }
    try sink.refuse(length: length)
    state.withLock { $0.length = length }
    var rest = bytes
    while !rest.isEmpty {
      let part: Data? = state.withLock { state in
        if state.rest.isEmpty, rest.count >= PartTable.partLength {
          defer { rest = rest.dropFirst(PartTable.partLength) }
          return rest.prefix(PartTable.partLength)
        }
        if state.rest.isEmpty { state.rest.reserveCapacity(min(2 * rest.count, PartTable.partLength)) }
        let count = min(PartTable.partLength - state.rest.count, rest.count)
        state.rest.append(rest.prefix(count))
        rest = rest.dropFirst(count)
        if state.rest.count < PartTable.partLength { return nil }
        defer { state.rest = Data() }
        return state.rest
      }
      if let part { try await write(part) }
    }
  }

  /// Begins to write a part, after an earlier one has been written.
  private func write(_ bytes: Data) async throws {
    let file: NewPartFile
    if let opened = state.withLock({ $0.file }) {
      file = opened
    } else {
      file = try await pool.run { [sink] in try sink.explaining { try sink.makeFile() } }
      state.withLock { $0.file = file }
    }
    state.withLock { state in
      let number = state.parts
      let job = PendingJob(on: pool) { [sink] in
        try sink.explaining { try file.write(bytes, part: number) }
      }
      state.writing.append(Part(offset: number * PartTable.partLength, bytes: bytes, job: job))
      state.parts += 1
    }
    try await wait(untilAtMost: Self.depth - 1)
  }

  /// Waits until at most some parts are being written. Throws the error of a part that could not be written.
  private func wait(untilAtMost count: Int) async throws {
    while let part = state.withLock({ $0.writing.count > count ? $0.writing.first : nil }) {
      // Removed even if it throws: its result can be taken only once.
      let result: Result<Void, any Error>
      do { result = .success(try await part.job.value()) } catch { result = .failure(error) }
      state.withLock { _ = $0.writing.removeFirst() }
      do { try result.get() } catch {
        state.withLock { $0.isOver = true }
        throw error
      }
    }
  }

  func bytes(at offset: Int, count: Int) async throws -> Data? {
    let (file, found, end): (NewPartFile?, Data?, Int) = state.withLock { state in
      let inMemory = state.writing.map { ($0.offset, $0.bytes) } + [(state.parts * PartTable.partLength, state.rest)]
      let start = inMemory[0].0
      guard let (first, bytes) = inMemory.last(where: { $0.0 <= offset }) else { return (state.file, nil, start) }
      return (state.file, bytes.dropFirst(offset - first).prefix(count), start)
    }
    if let found { return found }
    guard let file else { return nil }
    return try await pool.run { [sink] in
      try sink.explaining { try file.bytes(min(count, end - offset), at: offset) }
    }
  }

  func commit(ifAbsent: Bool) async throws -> Bool {
    if state.withLock({ $0.isOver }) { throw isOver }
    let (isFile, length) = state.withLock { ($0.file != nil || $0.length >= sink.threshold, $0.length) }
    if isFile {
      // It is less than a part, and so has not been written yet.
      let last = state.withLock { state in
        defer { state.rest = Data() }
        return state.rest
      }
      if !last.isEmpty { try await write(last) }
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
    while let part = state.withLock({ $0.writing.isEmpty ? nil : $0.writing.removeFirst() }) {
      // The value is not wanted any more, and neither is the error.
      do { try await part.job.value() } catch {}
    }
    // On a thread of the pool: deleting a long file takes a while.
    let file = state.withLock { state in
      state.isOver = true
      return state.file.take()
    }
    do { try await pool.run { file?.delete() } } catch {}
  }

  private var isOver: StorageError {
    .backendFailed.with("the staged value has been committed or discarded, or could not be written")
  }
}
