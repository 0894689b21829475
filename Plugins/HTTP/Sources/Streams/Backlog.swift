#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import StrataCore

  /// The bytes of a body that have arrived and have not been read: up to 1 MiB in memory, and more in a file.
  final class Backlog: Sendable {
    private static let limit = 1 << 20
    /// The threads that read the files.
    private static let pool = BlockingPool()

    private struct State: Sendable {
      var reader: CheckedContinuation<Data?, any Error>?
      /// The oldest bytes.
      var arrived = Data()
      var file: OpenFile?
      /// The range of the file whose bytes follow.
      var spilled = 0..<0
      var isSpilling = false
      /// `nil` while bytes may arrive.
      var end: Result<Void, any Error>?

      mutating func takeReader() -> CheckedContinuation<Data?, any Error>? {
        defer { reader = nil }
        return reader
      }
    }

    private let state = Locked(State())

    /// Returns the next bytes, or `nil` after the last ones. Waits until there are any.
    func next() async throws -> Data? {
      let step: (OpenFile, Range<Int>)? = state.withLock { state in
        guard state.arrived.isEmpty, let file = state.file, !state.spilled.isEmpty else { return nil }
        return (file, state.spilled.prefix(StoredBytes.partSize))
      }
      if let (file, range) = step {
        let data = try await Self.pool.run { try file.read(range) }
        state.withLock { state in
          state.spilled = range.upperBound..<state.spilled.upperBound
          if state.spilled.isEmpty, !state.isSpilling { state.spilled = 0..<0 }
        }
        return data
      }
      return try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Data?, any Error>? in
          if !state.arrived.isEmpty {
            defer { state.arrived = Data() }
            return .success(state.arrived)
          }
          // A part that is being written is handed over when it has been written.
          if let end = state.end, !state.isSpilling { return end.map { Data?.none } }
          state.reader = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    }

    /// Adds bytes. They are written to the file if the reader is far behind. Called by one thread at a time.
    func add(_ data: Data) throws {
      let (reader, position) = try state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Int?) in
        if state.end != nil { return (nil, nil) }
        if let reader = state.takeReader() { return (reader, nil) }
        if state.spilled.isEmpty, state.arrived.count < Self.limit {
          state.arrived.append(data)
          return (nil, nil)
        }
        if state.file == nil { state.file = try OpenFile() }
        state.isSpilling = true
        return (nil, state.spilled.upperBound)
      }
      reader?.resume(returning: data)
      guard let position else { return }
      let written = Result { try state.withLock { $0.file }?.write(data, at: position) }
      let waiting = state.withLock { state in
        state.isSpilling = false
        if case .success = written, state.reader == nil {
          state.spilled = min(state.spilled.lowerBound, position)..<position + data.count
        }
        return state.takeReader()
      }
      waiting?.resume(returning: data)
      try written.get()
    }

    /// Ends the body. The bytes that have arrived can still be read, unless it was cancelled.
    func end(_ result: Result<Void, any Error>) {
      let reader = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
        if state.end == nil { state.end = result }
        return state.isSpilling ? nil : state.takeReader()
      }
      reader?.resume(with: result.map { nil })
    }
  }
#endif
