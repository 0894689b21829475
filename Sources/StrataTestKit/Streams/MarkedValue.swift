#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value in which every 64 bytes contain the value's number and their own position, so that a mixture of two values
/// is recognised wherever it begins.
struct MarkedValue: Sendable, Equatable {
  /// The number of bytes that contain one mark.
  static let block = 64

  let number: Int
  let count: Int

  init(_ number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  var data: Data { bytes(0..<count) }

  /// Returns the bytes of a range, in a `Data` whose indices begin at 0.
  func bytes(_ range: Range<Int>) -> Data {
    let first = range.lowerBound / Self.block
    let end = (range.upperBound + Self.block - 1) / Self.block
    var data = Data(count: (end - first) * Self.block)
    if first < end {
      data.withUnsafeMutableBytes { mark($0.bindMemory(to: UInt64.self), from: UInt64(first)) }
    }
    let start = range.lowerBound - first * Self.block
    return start == 0 ? data.prefix(range.count) : Data(data[start..<(start + range.count)])
  }

  /// Writes blocks. Two words of each differ from those of all other blocks, so that a compressor cannot reduce them to
  /// nothing. Without optimisation, a loop over all words would take most of the time of a check.
  private func mark(_ words: UnsafeMutableBufferPointer<UInt64>, from first: UInt64) {
    let (count, length) = (words.count, Self.block / 8)
    words[0] = UInt64(number).littleEndian
    for word in 1..<length { words[word] = UInt64(number) ^ 0xA5A5_5A5A_C3C3_3C3C }
    var done = length
    while done < count {
      let more = min(done, count - done)
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(words)[(8 * done)...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(words)[..<(8 * more)]))
      done += more
    }
    var (word, block) = (0, first)
    while word < count {
      words[word + 1] = block.littleEndian
      words[word + 2] = (block &+ 1) &* 0x9E37_79B9_7F4A_7C15
      word += length
      block += 1
    }
  }

  /// Returns the number in the first mark of bytes that begin with a block.
  static func number(of bytes: Data) -> Int {
    var number: UInt64 = 0
    withUnsafeMutableBytes(of: &number) { _ = bytes.prefix(8).copyBytes(to: $0) }
    return Int(truncatingIfNeeded: UInt64(littleEndian: number))
  }

  /// Returns how bytes differ from those of a range of this value, or `nil` if they are the same.
  func difference(of found: Data, in range: Range<Int>) -> String? {
    let expected = bytes(range)
    if found == expected { return nil }
    let same = zip(found, expected).prefix { $0 == $1 }.count
    let place = "value \(number) of \(count) bytes, of which \(range) were read"
    if same == found.count || same == expected.count {
      return "\(found.count) and not \(expected.count) bytes of \(place)"
    }
    let position = range.lowerBound + same
    let start = position / Self.block * Self.block - range.lowerBound
    let other = start >= 0 && start + 16 <= found.count ? found.dropFirst(start).prefix(16) : nil
    let owner = other.map { ", where the mark of value \(Self.number(of: $0)) is" } ?? ""
    return "wrong bytes from position \(position) on\(owner), in \(place)"
  }
}
