#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PartCoder {
  /// Returns a staged value whose transformed parts are appended to another one.
  package func staging(over base: any StagedBytes) -> any StagedBytes { StagedParts(base, self) }
}

/// A staged value that is transformed a part at a time, in `PartedFormat`.
private final class StagedParts: ConditionalBytes {
  private struct State {
    /// The bytes that do not fill a part yet.
    var rest = Data()
    var index: PartedIndex
    var isComplete = false
  }

  private let base: any StagedBytes
  private let coder: PartCoder
  private let state: Locked<State>

  init(_ base: any StagedBytes, _ coder: PartCoder) {
    self.base = base
    self.coder = coder
    state = Locked(State(index: PartedIndex()))
  }

  func append(_ bytes: Data) async throws {
    var bytes = bytes
    while !bytes.isEmpty {
      let full: Data? = state.withLock { state in
        // A full part is written when more bytes come: a value of one part is stored as if it had not been streamed.
        if state.rest.count == PartedFormat.partSize { return state.rest }
        let more = bytes.prefix(PartedFormat.partSize - state.rest.count)
        state.rest.append(more)
        bytes = bytes.dropFirst(more.count)
        return nil
      }
      if let full { try await write(full) }
    }
  }

  /// Appends a part to the base.
  private func write(_ part: Data) async throws {
    let (index, end) = state.withLock { ($0.index, $0.index.ends.last) }
    if end == nil { try await base.append(PartedFormat.magic + index.id) }
    let bytes = try coder.encode(PartedIndex.sealed(part, UInt64(index.count), index.id))
    try await base.append(bytes)
    state.withLock { state in
      state.rest = Data()
      state.index.add(part.count, (end ?? PartedFormat.headSize) + bytes.count)
    }
  }

  func bytes(at offset: Int, count: Int) async throws -> Data? {
    let (index, rest) = state.withLock { ($0.index, $0.rest) }
    if offset >= index.length { return rest.dropFirst(offset - index.length).prefix(count) }
    let number = offset / index.partSize
    let range = index.range(of: number)
    var bytes = Data(capacity: range.count)
    while bytes.count < range.count {
      let more = try await base.bytes(at: range.lowerBound + bytes.count, count: range.count - bytes.count)
      guard let more, !more.isEmpty else { return nil }
      bytes.append(more)
    }
    let part = try index.part(number, bytes, by: coder.decode)
    return part.dropFirst(offset - number * index.partSize).prefix(count)
  }

  func commit(ifAbsent: Bool) async throws -> Bool {
    try await commit(ifAbsent: ifAbsent, when: { true })
  }

  func commit(ifAbsent: Bool, when isWanted: @Sendable () -> Bool) async throws -> Bool {
    try await complete()
    return try await base.commit(ifAbsent: ifAbsent, ifWanted: isWanted)
  }

  func discard() async { await base.discard() }

  /// Appends the last part and the index.
  private func complete() async throws {
    let (isComplete, rest, hasParts) = state.withLock { ($0.isComplete, $0.rest, !$0.index.ends.isEmpty) }
    if isComplete { return }
    if !hasParts {
      try await base.append(coder.encode(rest))
    } else {
      if !rest.isEmpty { try await write(rest) }
      let index = state.withLock { $0.index }
      try await base.append(index.tail(by: coder.encode))
    }
    state.withLock { $0.isComplete = true }
  }
}
