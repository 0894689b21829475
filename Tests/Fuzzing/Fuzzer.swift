#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The program that libFuzzer runs: `make fuzz` builds it once for each file that declares a `fuzzer`.
struct Fuzzer: Sendable {
  /// Inputs to begin with.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Tries one input; throws if a promise is broken.
  let run: @Sendable ([UInt8]) throws -> Void
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do { try fuzzer.run(Array(UnsafeBufferPointer(start: start, count: count))) } catch {
    fatalError("\(error)")
  }
  return 0
}

/// Writes the seeds to the folder that `STRATA_FUZZ_SEEDS` names, from where libFuzzer reads them.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt
{
  guard let folder = ProcessInfo.processInfo.environment["STRATA_FUZZ_SEEDS"] else { return 0 }
  do {
    for (i, seed) in try fuzzer.seeds().enumerated() {
      try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(i)"))
    }
  } catch { fatalError("\(error)") }
  return 0
}
