#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Writes commands, as arrays of bulk strings, into memory that was made for them.
///
/// Byte for byte into an array, this took a tenth of a call. Unsafe: whatever touches the memory has made sure that
/// there is room.
struct RedisWriter {
  private let space: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  fileprivate init(_ space: UnsafeMutableBufferPointer<UInt8>) { self.space = space }

  /// How many bytes the beginning of a command takes, at most.
  static func size(ofName name: StaticString) -> Int { 2 * headSize + name.utf8CodeUnitCount }

  /// How many bytes a word takes, at most.
  static func size(of word: RedisCommand.Word) -> Int { headSize + word.size }

  /// A letter, the digits of a number, and the ends of two lines.
  private static let headSize = 25

  /// Writes the beginning of a command of so many words after its name.
  mutating func write(_ name: StaticString, words: Int) {
    writeHead("*", words + 1)
    write(name)
  }

  /// Writes a word that is always the same.
  mutating func write(_ word: StaticString) { word.withUTF8Buffer { _ = write(UnsafeRawBufferPointer($0)) } }

  /// Writes a word as a bulk string, and returns where its own bytes are.
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

  /// `$17`, and the end of the line.
  private mutating func writeHead(_ kind: Unicode.Scalar, _ number: Int) {
    makeSure(of: Self.headSize)
    space[count] = UInt8(ascii: kind)
    count += 1
    // Most numbers have a digit or two, and to divide by what the compiler does not know takes long.
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

  /// Writes once more what stands in a place.
  mutating func writeAgain(_ place: Range<Int>) {
    precondition(place.upperBound <= count)
    let written = UnsafeRawBufferPointer(UnsafeBufferPointer(space))
    put(UnsafeRawBufferPointer(rebasing: written[place]))
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
  /// The bytes that are written into memory of a size.
  static func written(_ size: Int, _ body: (inout RedisWriter) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { space, count in
      var writer = RedisWriter(space)
      body(&writer)
      count = writer.count
    }
  }
}

extension RedisCommand.Word {
  /// How many bytes it takes, at most.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .integer: 20
    case .bytes(let data): data.count
    case .raw(let bytes): bytes.count
    // Composed, a text takes up to three times as many bytes (Unicode, annex 15); most are short.
    case .prefixed(let prefix, let text): prefix.count + 3 * text.utf8.count
    }
  }
}
