import Foundation
import TestSupport
import Testing

@testable import StrataRedis

/// The decoder with random bytes.
struct RESPDecoderFuzzSoakTests {
  private static let rounds = 0..<UInt64(Soak.rounds(15, soak: 10_000))

  @Test(arguments: rounds) func encodedValuesAreDecoded(_ round: UInt64) throws {
    var random = SeededNumbers(seed: Soak.seed &+ round)
    let values = (0..<50).map { _ in RESPValue.random(depth: 4, using: &random) }
    let outcome = Self.decode(values.flatMap(\.encoded), random: &random)
    #expect(outcome.values == values, "STRATA_SEED=\(Soak.seed)")
    #expect(outcome.flaw == nil, "STRATA_SEED=\(Soak.seed)")
  }

  /// Damaged bytes are decoded to replies or an error, never a crash, and to the same ones wherever they are split.
  @Test(arguments: rounds) func splittingDamagedBytesDoesNotChangeTheResult(_ round: UInt64) {
    var random = SeededNumbers(seed: Soak.seed &+ round &+ 1_000_000)
    for _ in 0..<50 {
      var bytes = (0..<5).flatMap { _ in RESPValue.random(depth: 4, using: &random).encoded }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes[place] = "+-:$!=_,#(*%~>|0123456789\r\n".utf8.randomElement(using: &random) ?? 0
        case 2: bytes.insert(contentsOf: "\(Int.random(in: -2...(.max), using: &random))".utf8, at: place)
        default: bytes.remove(at: place)
        }
      }
      let whole = Self.decode(bytes, pieces: bytes.count, random: &random)
      let cut = Self.decode(bytes, random: &random)
      #expect(whole == cut, "STRATA_SEED=\(Soak.seed)")
    }
  }

  struct Outcome: Equatable {
    var values: [RESPValue] = []
    var flaw: RESPDecoder.Malformed?
  }

  private static func decode(_ bytes: [UInt8], pieces: Int = 20, random: inout SeededNumbers) -> Outcome {
    var decoder = RESPDecoder(limits: .init(size: 1 << 20), bufferSize: 16)
    var outcome = Outcome()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(rest.count, .random(in: min(pieces, rest.count)...max(pieces, 1), using: &random))
      decoder.feed(rest.prefix(count))
      rest = rest.dropFirst(count)
      do { while let value = try decoder.next() { outcome.values.append(value) } } catch {
        outcome.flaw = error
        return outcome
      }
    }
    return outcome
  }
}
