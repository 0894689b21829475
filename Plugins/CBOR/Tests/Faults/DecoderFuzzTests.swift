import StrataCBOR
import TestSupport
import Testing

@Suite("The fuzzer of the CBOR decoder", .endsInTime) struct DecoderFuzzTests {
  @Test("its seeds, whole and damaged, break no promise")
  func seeds() throws {
    var generator = SeededGenerator(seed: 7)
    for seed in try DecoderFuzz.seeds {
      try DecoderFuzz.run(seed)
      for _ in 0..<300 {
        var damaged = seed
        damaged[Int.random(in: 0..<seed.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
        try DecoderFuzz.run(damaged)
      }
    }
  }
}
