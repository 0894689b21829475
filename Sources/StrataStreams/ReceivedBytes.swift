#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The bytes of a body that arrives in parts and is held in memory.
package struct ReceivedBytes {
  /// The lengths of bodies that get pages of their own.
  package static let largeLengths = 512 << 10..<16 << 20

  /// The bytes, if their number is known and large.
  private var pages: PageBuffer?
  private var data = Data()

  /// Prepares for a body, and takes memory for it at once if its length is known and of some size: a growing body would
  /// take up to twice as much. A stated length may be wrong.
  package init(expecting length: Int? = nil) {
    guard let length else { return }
    if Self.largeLengths.contains(length) {
      do { pages = try PageBuffer(capacity: length, isFilled: true) } catch {
        // The body is collected like one of unknown length.
      }
    } else if 64 << 10..<Self.largeLengths.lowerBound ~= length {
      data = Data(capacity: length)
    }
  }

  package var count: Int { pages?.count ?? data.count }

  package mutating func append(_ part: UnsafeRawBufferPointer) {
    var part = part
    if let pages {
      let fitting = pages.append(part)
      if fitting == part.count { return }
      // The stated length was wrong.
      data = pages.take()
      self.pages = nil
      part = UnsafeRawBufferPointer(rebasing: part[fitting...])
    }
    data.append(contentsOf: part)
  }

  /// Returns the bytes, which can be taken once.
  package mutating func take() -> Data { pages?.take() ?? data }
}
