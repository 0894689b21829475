/// The sizes of the parts of an upload. S3 permits at most 10 000.
enum PartSizes {
  private static let most = 10_000
  /// The number of parts of equal size, before parts begin to grow. Some servers want all parts to be equal.
  private static let equal = 4500
  private static let doubling = 500

  /// The largest part that AWS permits.
  private static let largest = 5 << 30

  /// Returns the size of a part of a value whose size is unknown: `partSize` for 4 500 parts, which then doubles every
  /// 500 parts. With the default size, 10 000 parts hold 7 TB.
  static func size(ofPart number: Int, _ config: S3Config) -> Int {
    let partSize = config.partSize
    let doublings = number <= equal ? 0 : (number - 1 - equal) / doubling + 1
    return max(partSize, 1, min(partSize << min(doublings, 10), largest))
  }

  /// Divides a number of bytes into at most 10 000 ranges of equal size.
  static func ranges(_ size: Int, partSize: Int) -> [Range<Int>] {
    let part = max(partSize, (size + most - 1) / most, 1)
    return stride(from: 0, to: size, by: part).map { $0..<min($0 + part, size) }
  }
}
