package import Foundation
package import StrataCore
import Testing

#if os(Linux)
  /// A value that is made piece by piece, so that the test itself needs no memory for it.
  package struct LargeValue: AsyncSequence, Sendable {
    let length: Int
    /// Called before each piece.
    let onPiece: @Sendable () throws -> Void
    private static let piece = noise(1 << 20, seed: 9)

    package init(_ length: Int, onPiece: @escaping @Sendable () throws -> Void = {}) {
      (self.length, self.onPiece) = (length, onPiece)
    }

    /// Returns a piece: always the same bytes, which begin with its number.
    static func piece(_ number: Int, _ count: Int) -> Data {
      var piece = piece.prefix(count)
      withUnsafeBytes(of: number.littleEndian) {
        piece.replaceSubrange(0..<Swift.min(8, count), with: $0.prefix(count))
      }
      return piece
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
      let length: Int
      let onPiece: @Sendable () throws -> Void
      var number = 0

      package mutating func next() async throws -> Data? {
        let start = number << 20
        if start >= length { return nil }
        try onPiece()
        defer { number += 1 }
        return LargeValue.piece(number, Swift.min(1 << 20, length - start))
      }
    }

    package func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(length: length, onPiece: onPiece)
    }
  }

  /// Writes a large value and reads it again, a part at a time, and returns by how many bytes the memory of this
  /// process has risen meanwhile at most above that of the idle process. Throws if there are many threads.
  ///
  /// - Parameter mapsFiles: whether the store maps its file. The mapped pages are those of the system's cache, so only
  ///   other memory counts, which is looked at after each megabyte.
  package func memory(
    ofStreaming length: Int, _ store: any StorageAware<String, Data>, mapsFiles: Bool = false
  ) async throws -> Int {
    // What a first use needs, of any size.
    try await store.write(forKey: "small", from: LargeValue(3 << 20))
    _ = try await check(store.read(forKey: "small"), 3 << 20) {}
    FreedMemory.giveBack()
    let figure = mapsFiles ? "RssAnon" : "VmHWM"
    let idle = try processStatus(mapsFiles ? figure : "VmRSS")
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let peak = Locked(0)
    let look = { @Sendable in
      let (now, threads) = (try processStatus(figure), try processStatus("Threads"))
      if threads > 100 { throw TooManyThreads(count: threads) }
      peak.withLock { $0 = max($0, now) }
    }
    try await store.write(forKey: "large", from: LargeValue(length, onPiece: look))
    SecondProcess.say("written \((peak.withLock { $0 } - idle) * 1024)")
    try await check(store.read(forKey: "large"), length, look)
    try look()
    return (peak.withLock { $0 } - idle) * 1024
  }

  /// Throws unless the bytes are those of a large value.
  private func check(_ bytes: StoredBytes, _ length: Int, _ onPiece: () throws -> Void) async throws {
    var rest = Data()
    var number = 0
    for try await part in bytes {
      if rest.isEmpty { rest = part } else { rest.append(part) }
      while rest.count >= 1 << 20 {
        guard rest.prefix(1 << 20) == LargeValue.piece(number, 1 << 20) else {
          throw WrongBytes(piece: number)
        }
        rest = Data(rest.dropFirst(1 << 20))
        number += 1
        try onPiece()
      }
    }
    guard rest == LargeValue.piece(number, rest.count), number << 20 + rest.count == length else {
      throw WrongBytes(piece: number)
    }
  }

  private struct WrongBytes: Error { let piece: Int }
  private struct TooManyThreads: Error { let count: Int }

  /// Starts the process of a test that calls `memory(ofStreaming:_:)` and says the result, and checks the result: 32
  /// MiB, and what the engine is configured to hold.
  package func expectLittleMemory(_ name: String, _ length: Int, _ words: [String], engine: Int = 0) throws {
    let start = ContinuousClock.now
    let program = try SecondProcess.start(words: words)
    let end = program.wait()
    let said = try program.lines
    #expect(end == .exit(0), "\(said.suffix(5))")
    let line = try #require(said.first { $0.hasPrefix("more ") })
    let more = try #require(Int(line.dropFirst(5)))
    let written = said.first { $0.hasPrefix("written ") }.flatMap { Int($0.dropFirst(8)) } ?? 0
    let time = (ContinuousClock.now - start).components.seconds
    print(
      "\(name): \(length >> 20) MiB in and out in \(time) s: \(more >> 10) KiB of memory more, "
        + "\(written >> 10) KiB after the write")
    #expect(more < 32 << 20 + engine)
  }
#endif
