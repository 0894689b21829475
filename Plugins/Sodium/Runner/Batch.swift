import Foundation
import Strata
import StrataSodium

/// Stores a batch of `megabytes` in an encrypted disk store. Prints the peak memory of the process beside the batch
/// itself, in bytes.
func storeBatch(of megabytes: Int, in folder: String) throws {
  let disk = try DiskStorage<String>(config: DiskConfig(name: "store", directory: URL(filePath: folder)))
  let store = try disk.encrypted(with: SecretKey())
  var batch: [String: Data] = [:]
  for number in 0..<megabytes {
    batch["\(number)"] = Data(repeating: UInt8(truncatingIfNeeded: number), count: 1 << 20)
  }
  let before = try peakMemory()
  try store.setObjects(batch, expiry: nil)
  print(try peakMemory() - before)
}

/// Stores a batch of `megabytes` of text as typed values, in memory and in an encrypted disk store. Prints the peak
/// memory of the process beside the values themselves, in bytes.
func storeTypedBatch(of megabytes: Int, in folder: String) throws {
  let disk = try DiskStorage<String>(config: DiskConfig(name: "store", directory: URL(filePath: folder)))
  let chain = Storage(
    front: MemoryStorage<String, TypeWrapper>(), back: try disk.encrypted(with: SecretKey()),
    transformer: .codable([String].self))
  var batch: [String: [String]] = [:]
  for number in 0..<megabytes {
    batch["\(number)"] = [String(repeating: String(number % 10), count: 1 << 20)]
  }
  let before = try peakMemory()
  try chain.setObjects(batch, expiry: nil)
  print(try peakMemory() - before)
}

private func peakMemory() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
    let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
  else { fail("the system does not report the peak memory") }
  return kilobytes << 10
}
