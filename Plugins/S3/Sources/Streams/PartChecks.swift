#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Verifies the bytes of an object that was uploaded in parts, as they are read in order.
///
/// AWS and most servers state the checksum of each part, others (SeaweedFS) only the checksum of all of these. A part
/// of which not all bytes are read is not verified.
struct PartChecks: Sendable {
  /// A part of the upload.
  struct Part: Sendable {
    /// The position in the object after the part.
    let end: Int
    let checksum: CRC32C?
  }

  private let parts: [Part]
  private let ofAll: CRC32C?
  /// The part that is being read, and its bytes so far if its first byte was read.
  private var number = 0
  private var current: CRC32C?
  /// The checksum of the checksums of all parts so far, if all have been read.
  private var checksums: CRC32C? = CRC32C()

  init(_ parts: [Part], ofAll: CRC32C?) {
    self.parts = parts
    self.ofAll = ofAll
  }

  /// Returns the end of the part with the byte at a position.
  func end(ofPartAt position: Int) -> Int {
    var (low, high) = (0, parts.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].end > position { high = middle } else { low = middle + 1 }
    }
    return parts[low].end
  }

  /// Takes the next bytes, which lie in one part. Throws if they complete a part, or the object, that is damaged.
  mutating func add(_ bytes: Data, at position: Int) throws(StorageError) {
    while parts[number].end <= position {
      number += 1
      (current, checksums) = (nil, nil)
    }
    if position == (number == 0 ? 0 : parts[number - 1].end) { current = CRC32C() }
    current?.update(bytes)
    guard position + bytes.count == parts[number].end else { return }
    if let current, let checksum = parts[number].checksum, current != checksum {
      throw Self.damaged("part \(number + 1) of \(parts.count)")
    }
    if let current { checksums?.update(current.bytes) } else { checksums = nil }
    current = nil
    number += 1
    if number == parts.count, let ofAll, let checksums, checksums != ofAll {
      throw Self.damaged("one of its parts")
    }
  }

  private static func damaged(_ part: String) -> StorageError {
    .malformedFileAttributes.with("the object is damaged: the checksum of \(part) does not match its bytes")
  }
}
