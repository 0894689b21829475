/// A check of UTF-8 that takes a fraction of the standard library's time for text that is not ASCII.
///
/// An automaton without branches, so its time does not depend on the text. Its state is the distance by which the row
/// of the next byte is shifted: a step is one look-up and one shift.
enum UTF8Check {
  /// Returns whether all bytes are ASCII.
  @inline(__always)
  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    let raw = UnsafeRawPointer(start)
    var at = 0
    while at + 8 <= bytes.count {
      if raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & highBits != 0 { return false }
      at += 8
    }
    while at < bytes.count {
      if start[at] & 0x80 != 0 { return false }
      at += 1
    }
    return true
  }

  /// Returns whether all bytes are UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    // Two automata run at the same time, since each step waits for the one before it. The second begins at a character
    // in the middle.
    var middle = bytes.count / 2
    while middle < bytes.count, start[middle] & 0xc0 == 0x80 { middle += 1 }
    let common = min(middle, bytes.count - middle)
    let later = start + middle
    return rows.withUnsafeBufferPointer { rows in
      var (one, other): (UInt64, UInt64) = (0, 0)
      var at = 0
      while at + 8 <= common {
        for place in at..<at + 8 {
          one = rows[Int(start[place])] &>> one
          other = rows[Int(later[place])] &>> other
        }
        at += 8
      }
      for place in at..<middle { one = rows[Int(start[place])] &>> one }
      for place in at..<bytes.count - middle { other = rows[Int(later[place])] &>> other }
      return (one | other) & mask == State.whole.shift
    }
  }

  /// A position within a character.
  private enum State: UInt64, CaseIterable {
    /// A character has ended.
    case whole
    /// As many continuation bytes must follow.
    case one, two, three
    /// The first byte of a character was this one, which restricts the second.
    case afterE0, afterED, afterF0, afterF4
    /// The bytes are not UTF-8, whatever follows.
    case invalid

    var shift: UInt64 { rawValue * UTF8Check.width }

    func next(_ byte: UInt8) -> State {
      let isContinuation = (0x80...0xbf).contains(byte)
      return switch self {
      case .whole: Self.first(byte)
      case .one: isContinuation ? .whole : .invalid
      case .two: isContinuation ? .one : .invalid
      case .three: isContinuation ? .two : .invalid
      case .afterE0: (0xa0...0xbf).contains(byte) ? .one : .invalid
      case .afterED: (0x80...0x9f).contains(byte) ? .one : .invalid
      case .afterF0: (0x90...0xbf).contains(byte) ? .two : .invalid
      case .afterF4: (0x80...0x8f).contains(byte) ? .two : .invalid
      case .invalid: .invalid
      }
    }

    private static func first(_ byte: UInt8) -> State {
      switch byte {
      case 0x00...0x7f: .whole
      case 0xc2...0xdf: .one
      case 0xe0: .afterE0
      case 0xed: .afterED
      case 0xe1...0xef: .two
      case 0xf0: .afterF0
      case 0xf1...0xf3: .three
      case 0xf4: .afterF4
      default: .invalid
      }
    }
  }

  /// The bits that no byte of ASCII has.
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The bits of a state. A row holds nine states of six bits, and a shift uses only the lowest six bits of its
  /// distance.
  private static let width: UInt64 = 6
  private static let mask: UInt64 = 1 << width - 1

  /// For each byte, the state that follows each state, at the position to which that state shifts.
  private static let rows: [UInt64] = (0...255).map { byte in
    State.allCases.reduce(0) { row, state in row | state.next(UInt8(byte)).shift << state.shift }
  }
}
