#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Writes commands, as arrays of bulk strings, into preallocated memory.
///
/// Appending single bytes to an array took a tenth of a call. Unsafe: every access first checks that there is room.
struct RedisWriter {
  private let space: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  fileprivate init(_ space: UnsafeMutableBufferPointer<UInt8>) { self.space = space }

  /// Returns the maximum size of the beginning of a command.
  static func size(ofName name: StaticString) -> Int { 2 * headSize + name.utf8CodeUnitCount }

  /// Returns the maximum size of a word.
  static func size(of word: RedisCommand.Word) -> Int { headSize + word.size }

  /// The size of a letter, the digits of a length, and two line ends.
  private static let headSize = 16

  /// Writes the beginning of a command with this number of words after its name.
  mutating func write(_ name: StaticString, words: Int) {
    writeHead("*", words + 1)
    write(name)
  }

  /// Writes a constant word.
  mutating func write(_ word: StaticString) { word.withUTF8Buffer { _ = write(UnsafeRawBufferPointer($0)) } }

  /// Writes a word as a bulk string. Returns the range of its own bytes.
  mutating func write(_ word: RedisCommand.Word) -> Range<Int> {
    switch word {
    case .text(var text): return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    case .integer(let number):
      var digits = String(number)
      return digits.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    case .raw(let word): return word.withUnsafeBytes { write($0) }
    case .bytes(let data): return data.withUnsafeBytes { write($0) }
    case .prefixed(let prefix, let text):
      return text.withCanonicalUTF8 { text in
        prefix.withUnsafeBytes { write($0, UnsafeRawBufferPointer(text)) }
      }
    }
  }

  private mutating func write(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .init(start: nil, count: 0)
  ) -> Range<Int> {
    writeHead("$", first.count + second.count)
    let start = count
    put(first)
    put(second)
    defer { endLine() }
    return start..<count
  }

  /// Writes a head such as `$17`, with the line end.
  private mutating func writeHead(_ kind: Unicode.Scalar, _ number: Int) {
    makeSure(of: Self.headSize)
    space[count] = UInt8(ascii: kind)
    count += 1
    // Most numbers have one or two digits, and division by a variable is slow.
    if number >= 100 {
      var scale = 100
      while number / 10 >= scale { scale *= 10 }
      while scale > 10 {
        putDigit(number / scale % 10)
        scale /= 10
      }
    }
    if number >= 10 { putDigit(number / 10 % 10) }
    putDigit(number % 10)
    endLine()
  }

  private mutating func putDigit(_ digit: Int) {
    space[count] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
    count += 1
  }

  private mutating func endLine() {
    makeSure(of: 2)
    space[count] = UInt8(ascii: "\r")
    space[count + 1] = UInt8(ascii: "\n")
    count += 2
  }

  /// Writes whole commands.
  mutating func write(encoded bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

  /// Writes bytes that were written before again.
  mutating func writeAgain(_ place: Range<Int>) {
    precondition(place.upperBound <= count)
    let written = UnsafeRawBufferPointer(UnsafeBufferPointer(space))
    put(written.part(place))
  }

  private mutating func put(_ bytes: UnsafeRawBufferPointer) {
    makeSure(of: bytes.count)
    if let place = space.baseAddress, let source = bytes.baseAddress {
      UnsafeMutableRawPointer(place + count).copyMemory(from: source, byteCount: bytes.count)
    }
    count += bytes.count
  }

  private func makeSure(of room: Int) { precondition(room <= space.count - count) }
}

extension [UInt8] {
  /// Returns the bytes that `body` writes into memory of this size.
  static func written(_ size: Int, _ body: (inout RedisWriter) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { space, count in
      var writer = RedisWriter(space)
      body(&writer)
      count = writer.count
    }
  }
}

extension RedisCommand.Word {
  /// The maximum number of bytes.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .integer: 20
    case .bytes(let data): data.count
    case .raw(let bytes): bytes.count
    // In composed form a text takes up to three times as many bytes (Unicode, annex 15); most texts are short.
    case .prefixed(let prefix, let text): prefix.count + 3 * text.utf8.count
    }
  }
}
