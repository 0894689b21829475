package import Foundation
package import StrataCore
import Testing

#if os(Linux)
  /// A value that is made piece by piece, so that the test itself needs no memory for it.
  package struct LargeValue: AsyncSequence, Sendable {
    let length: Int
    private static let piece = noise(1 << 20, seed: 9)

    package init(_ length: Int) { self.length = length }

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
      var number = 0

      package mutating func next() async throws -> Data? {
        let start = number << 20
        if start >= length { return nil }
        defer { number += 1 }
        return LargeValue.piece(number, Swift.min(1 << 20, length - start))
      }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(length: length) }
  }

  /// Writes a large value and reads it again, a part at a time, and returns by how many bytes the peak of this
  /// process's memory has risen meanwhile.
  package func memory(ofStreaming length: Int, _ store: any StorageAware<String, Data>) async throws -> Int {
    // The first calls load code.
    try await store.setObject(Data([1]), forKey: "small")
    _ = try await store.read(forKey: "small").data()
    let before = try peakMemory()
    try await store.write(forKey: "large", from: LargeValue(length))
    SecondProcess.say("written \(try peakMemory() - before)")
    var rest = Data()
    var number = 0
    for try await part in try await store.read(forKey: "large") {
      if rest.isEmpty { rest = part } else { rest.append(part) }
      while rest.count >= 1 << 20 {
        guard rest.prefix(1 << 20) == LargeValue.piece(number, 1 << 20) else {
          throw WrongBytes(piece: number)
        }
        rest = Data(rest.dropFirst(1 << 20))
        number += 1
      }
    }
    guard rest == LargeValue.piece(number, rest.count), number << 20 + rest.count == length else {
      throw WrongBytes(piece: number)
    }
    return try peakMemory() - before
  }

  private struct WrongBytes: Error { let piece: Int }

  /// Starts the process of a test that calls `memory(ofStreaming:_:)` and says the result, and checks the result.
  package func expectLittleMemory(_ length: Int, _ words: [String]) throws {
    let start = ContinuousClock.now
    let program = try SecondProcess.start(words: words)
    let end = program.wait()
    let said = try program.lines
    #expect(end == .exit(0), "\(said.suffix(5))")
    let line = try #require(said.first { $0.hasPrefix("more ") })
    let more = try #require(Int(line.dropFirst(5)))
    let written = said.first { $0.hasPrefix("written ") }.flatMap { Int($0.dropFirst(8)) } ?? 0
    let time = ContinuousClock.now - start
    print("\(length >> 20) MiB in and out in \(time): \(written >> 10) KiB, \(more >> 10) KiB of memory more")
    #expect(more < 32 << 20)
  }
#endif
