extension CBORScan {
  /// The depth up to which `isPlain` checks. Its levels take 1 kB of the stack.
  private static let plainDepth = 256

  /// Returns whether the bytes are one valid item of definite lengths that is no deeper than most values.
  ///
  /// Takes a few instructions an item. `false` says nothing: the whole check then finds the flaw, if there is one. A
  /// length in the first byte of an item is not compared with the rest of the input, since the item behind it, or the
  /// end, is then beyond the end.
  @inline(__always)
  static func isPlain(_ input: CBORBytes) -> Bool {
    guard input.count < 1 << 30 else { return false }
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: plainDepth) { levels in
      guard let levels = levels.baseAddress else { return false }
      return isPlain(input.base, input.count, levels)
    }
  }

  /// - Parameter levels: memory for the number of items that each outer container still lacks.
  private static func isPlain(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ levels: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    // The number of items that the innermost container still lacks.
    var (at, left, depth) = (0, 1, 0)
    while true {
      while left == 0 {
        if depth == 0 { return at == count }
        depth &-= 1
        left = Int(levels[depth])
      }
      guard at < count else { return false }
      left &-= 1
      let first = base[at]
      let major = first >> 5
      var number = Int(first & 31)
      at &+= 1
      if number >= 24 {
        let size = 1 &<< (number &- 24)
        guard number < 28, count &- at >= size else { return false }
        if major <= MajorType.negative || major == MajorType.simple {
          // A simple value below 32 in two bytes is not valid.
          if first == 0xf8 && base[at] < 32 { return false }
          at &+= size
          continue
        }
        number = longNumber(base + at, size, limit: count)
        guard number >= 0 else { return false }
        at &+= size
      }
      switch major {
      case MajorType.bytes, MajorType.text: at &+= number
      case MajorType.array, MajorType.map, MajorType.tag:
        let items = major == MajorType.array ? number : major == MajorType.map ? 2 &* number : 1
        if items == 0 { continue }
        guard depth < plainDepth else { return false }
        levels[depth] = UInt32(truncatingIfNeeded: left)
        depth &+= 1
        left = items
      default: break
      }
    }
  }

  /// Returns a number of 1, 2, 4 or 8 bytes, or -1 if it is above a limit.
  private static func longNumber(_ bytes: UnsafePointer<UInt8>, _ size: Int, limit: Int) -> Int {
    let raw = UnsafeRawPointer(bytes)
    let number =
      switch size {
      case 1: UInt64(bytes[0])
      case 2: UInt64(UInt16(bigEndian: raw.loadUnaligned(as: UInt16.self)))
      case 4: UInt64(UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self)))
      default: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self))
      }
    return number <= UInt64(limit) ? Int(number) : -1
  }
}
