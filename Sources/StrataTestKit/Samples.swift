#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Returns incompressible bytes that are unique to the seed and the length.
func bytes(_ count: Int, seed: Int) -> Data {
  // Consists of repeated blocks, each with its number: quick to generate for a huge value, and a lost or moved block is
  // still detected.
  var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 31 &+ UInt64(count))
  var block = Data(count: (min(count, 65536) + 7) / 8 * 8)
  block.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      bytes.storeBytes(of: generator.next(), toByteOffset: offset, as: UInt64.self)
    }
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

/// Returns a short value that is readable in messages.
func text(_ string: String) -> Data { Data(string.utf8) }
