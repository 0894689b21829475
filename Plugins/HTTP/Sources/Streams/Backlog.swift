#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// The bytes of a body that have arrived and have not been read: up to 1 MiB in memory, and more in a file.
  final class Backlog: Sendable {
    private let limit: Int
    /// The threads that read the files.
    private static let pool = BlockingPool()

    /// What a reader does next.
    private enum Step {
      case take(Data)
      case read(OpenFile, Range<Int>)
      case end
    }

    private struct State: Sendable {
      var reader: CheckedContinuation<Step, any Error>?
      /// The oldest bytes.
      var arrived = Data()
      var file: OpenFile?
      /// The range of the file whose bytes follow.
      var spilled = 0..<0
      var isSpilling = false
      /// `nil` while bytes may arrive.
      var end: Result<Void, any Error>?

      mutating func takeReader() -> CheckedContinuation<Step, any Error>? {
        defer { reader = nil }
        return reader
      }

      /// Returns the step of a reader, or `nil` if it has to wait: then there are neither bytes nor an end.
      mutating func step() -> Result<Step, any Error>? {
        if !arrived.isEmpty {
          defer { arrived = Data() }
          return .success(.take(arrived))
        }
        if let file, !spilled.isEmpty { return .success(.read(file, spilled.prefix(StoredBytes.partSize))) }
        // A part that is being written is handed over when it has been written.
        return isSpilling ? nil : end?.map { .end }
      }
    }

    private let state = Locked(State())

    /// - Parameter limit: the number of bytes in memory from which on further ones are written to the file.
    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Returns the next bytes, or `nil` after the last ones. Waits until there are any.
    func next() async throws -> Data? {
      let step = try await withCheckedThrowingContinuation { continuation in
        // Looks and waits in one step: bytes that reached the file in between would be returned after later ones.
        let step = state.withLock { state in
          let step = state.step()
          if step == nil { state.reader = continuation }
          return step
        }
        if let step { continuation.resume(with: step) }
      }
      switch step {
      case .take(let data): return data
      case .end: return nil
      case .read(let file, let range):
        let data = try await Self.pool.run { try file.read(range) }
        state.withLock { state in
          state.spilled = range.upperBound..<state.spilled.upperBound
          if state.spilled.isEmpty, !state.isSpilling { state.spilled = 0..<0 }
        }
        return data
      }
    }

    /// Adds bytes. They are written to the file if the reader is far behind. Called by one thread at a time.
    func add(_ data: Data) throws {
      let (reader, position) = try state.withLock { state -> (CheckedContinuation<Step, any Error>?, Int?) in
        if state.end != nil { return (nil, nil) }
        if let reader = state.takeReader() { return (reader, nil) }
        if state.spilled.isEmpty, state.arrived.count < limit {
          state.arrived.append(data)
          return (nil, nil)
        }
        if state.file == nil { state.file = try OpenFile() }
        state.isSpilling = true
        return (nil, state.spilled.upperBound)
      }
      reader?.resume(returning: .take(data))
      guard let position else { return }
      let written = Result { try state.withLock { $0.file }?.write(data, at: position) }
      let waiting = state.withLock { state in
        state.isSpilling = false
        if case .success = written, state.reader == nil {
          state.spilled = min(state.spilled.lowerBound, position)..<position + data.count
        }
        return state.takeReader()
      }
      waiting?.resume(returning: .take(data))
      try written.get()
    }

    /// Ends the body. The bytes that have arrived can still be read, unless it was cancelled.
    func end(_ result: Result<Void, any Error>) {
      let reader = state.withLock { state -> CheckedContinuation<Step, any Error>? in
        if state.end == nil { state.end = result }
        return state.isSpilling ? nil : state.takeReader()
      }
      reader?.resume(with: result.map { .end })
    }
  }
#endif
