import StrataTestKit
import TestSupport
import Testing

/// Runs the fuzzer's seeds and some mutations of them; `make fuzz` tries millions.
struct LogFuzzSoakTests {
  @Test(arguments: LogFuzz.seeds.indices)
  func seedsAndMutationsBreakNoInvariant(_ index: Int) throws {
    let folder = TemporaryFolder()
    let seed = LogFuzz.seeds[index]
    try LogFuzz.run(seed, in: folder.url)
    if seed.count < 2 { return }
    var generator = SeededGenerator(seed: UInt64(index))
    for _ in 0..<Soak.rounds(4, soak: 500) {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 1..<bytes.count, using: &generator)] = .random(
          in: .min ... .max, using: &generator)
      }
      try LogFuzz.run(bytes, in: folder.url)
    }
  }
}
