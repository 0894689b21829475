import TestSupport
import Testing

/// Runs the fuzzer's checks on its seeds, and on some thousand mutations of them.
@Suite(.endsInTime) struct DecryptorFuzzTests {
  @Test func noInputViolatesAGuarantee() throws {
    let fuzz = try DecryptorFuzz()
    var generator = SeededGenerator(seed: 8)
    for seed in try fuzz.seeds {
      try fuzz.run(seed)
      for _ in 0..<50 where !seed.isEmpty {
        var mutated = seed
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place = Int.random(in: 0..<mutated.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: mutated[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
          case 1: mutated.insert(UInt8.random(in: 0...255, using: &generator), at: place)
          default: if mutated.count > 1 { mutated.remove(at: place) }
          }
        }
        try fuzz.run(mutated)
      }
    }
  }
}
