// The entry points of libFuzzer. The Makefile compiles this file into each fuzzer, whose own file declares `Fuzzed`:
// `Fuzzed.run(_:)` throws if a promise is broken, and `Fuzzed.seeds` are the first inputs.

import Foundation

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do { try Fuzzed.run(Array(UnsafeBufferPointer(start: start, count: count))) } catch {
    fatalError("\(error)")
  }
  return 0
}

/// Called once: writes the seeds to the folder that the environment names, from where libFuzzer reads them.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt
{
  guard let folder = ProcessInfo.processInfo.environment["STRATA_FUZZ_SEEDS"] else { return 0 }
  do {
    for (i, seed) in try Fuzzed.seeds.enumerated() {
      try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(i)"))
    }
  } catch { fatalError("\(error)") }
  return 0
}
