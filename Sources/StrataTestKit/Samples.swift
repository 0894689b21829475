#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bytes that no other seed or length gives, and that do not compress.
func bytes(_ count: Int, seed: Int) -> Data {
  // Blocks that repeat, each with its number: a huge value is made fast, and a block lost or moved is still seen.
  var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 31 &+ UInt64(count))
  var block = Data(capacity: 65536)
  while block.count < min(count, 65536) {
    withUnsafeBytes(of: generator.next()) { block.append(contentsOf: $0) }
  }
  var data = Data(capacity: count + 65536)
  var number: UInt64 = 0
  while data.count < count {
    if number > 0 { withUnsafeBytes(of: number) { block.replaceSubrange(0..<8, with: $0) } }
    data.append(block)
    number += 1
  }
  return Data(data.prefix(count))
}

/// A short value that a person can recognise.
func text(_ string: String) -> Data { Data(string.utf8) }
