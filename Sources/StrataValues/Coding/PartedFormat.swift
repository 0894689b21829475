#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The format of a value that is transformed, for example encrypted, a part at a time.
///
/// | bytes | contents                                                                              |
/// |-------|---------------------------------------------------------------------------------------|
/// | 16    | magic and version                                                                     |
/// | 16    | identity of the value: random                                                         |
/// | …     | the transformed parts, one after the other, each of 256 KiB, except the last          |
/// | …     | the transformed index: length of the value (8), size of a part (4), number of parts   |
/// |       | (4), then the number of transformed bytes of each (4)                                 |
/// | 8     | number of bytes of the transformed index                                              |
/// | 8     | magic of the end                                                                      |
///
/// Numbers are little-endian. Before a part is transformed, the identity and its number are put in front of it; the
/// number of the index is the largest one. A cipher that detects changed bytes thereby also detects parts that were
/// exchanged, left out, repeated or taken from another value.
///
/// A value that fits into one part is stored as if it had not been streamed.
package enum PartedFormat {
  /// No transformer of Strata makes bytes that begin with the first two of these, and no UTF-8 text has the first.
  package static let magic = Data([0xF5] + Array("Strata parts".utf8) + [0xF5, 0, 1])
  package static let endMagic = Data([0xF5] + Array("Strata".utf8) + [0])
  package static let partSize = 256 << 10
  package static let headSize = 32
  package static let tailSize = 16
  package static let indexNumber = UInt64.max

  package static func isParted(_ data: Data) -> Bool { data.starts(with: magic) }

  /// Returns a whole value, transformed back.
  package static func decode(_ data: Data, by decode: (Data) throws -> Data) throws -> Data {
    let index = try PartedIndex(head: data.prefix(headSize), tail: data, length: data.count, by: decode)
    var value = Data(capacity: index.length)
    for number in 0..<index.count {
      let range = index.range(of: number)
      value += try index.part(
        number, data.dropFirst(range.lowerBound).prefix(range.count), by: decode)
    }
    return value
  }

  /// Returns a whole value in parts.
  package static func encode(_ data: Data, by encode: (Data) throws -> Data) throws -> Data {
    var index = PartedIndex()
    var encoded = magic + index.id
    for start in stride(from: 0, to: data.count, by: partSize) {
      let part = data.dropFirst(start).prefix(partSize)
      encoded += try encode(PartedIndex.sealed(part, UInt64(index.count), index.id))
      index.add(part.count, encoded.count)
    }
    return try encoded + index.tail(by: encode)
  }

  package static func damaged(_ reason: String) -> StorageError {
    .malformedFileAttributes.with("the value, which is stored in parts, is damaged: \(reason)")
  }
}

/// The index of a value in parts.
package struct PartedIndex: Sendable {
  package let id: Data
  /// The number of bytes of the value.
  package private(set) var length: Int
  package let partSize: Int
  /// The offsets behind the transformed parts.
  package private(set) var ends: [Int] = []

  /// Creates the index of a new value.
  package init() {
    id = Data(ValueID().bytes)
    length = 0
    partSize = PartedFormat.partSize
  }

  /// Reads the index.
  ///
  /// - Parameters:
  ///   - tail: the last bytes, at least as many as `size(ofTail:)` says.
  ///   - length: the number of all transformed bytes.
  package init(head: Data, tail: Data, length whole: Int, by decode: (Data) throws -> Data) throws {
    guard let size = try Self.size(ofTail: tail, length: whole), tail.count >= size else {
      throw PartedFormat.damaged("its end is missing")
    }
    id = head.dropFirst(PartedFormat.magic.count).prefix(16)
    let bytes = tail.suffix(size).dropLast(PartedFormat.tailSize)
    let index = try Self.opened(bytes, PartedFormat.indexNumber, id, by: decode)
    guard index.count >= 16 else { throw PartedFormat.damaged("its index is too short") }
    length = Int(clamping: index.number(at: 0) as UInt64)
    partSize = Int(index.number(at: 8) as UInt32)
    let count = Int(index.number(at: 12) as UInt32)
    guard index.count == 16 + 4 * count, partSize > 0, count == (0..<length).parts(of: partSize).count else {
      throw PartedFormat.damaged("its index contradicts itself")
    }
    var end = PartedFormat.headSize
    for number in 0..<count {
      end += Int(index.number(at: 16 + 4 * number) as UInt32)
      ends.append(end)
    }
    guard end == whole - size else { throw PartedFormat.damaged("bytes are missing") }
  }

  /// Adds a part of a number of bytes, whose transformed bytes end at an offset.
  package mutating func add(_ count: Int, _ end: Int) {
    length += count
    ends.append(end)
  }

  /// The number of parts.
  package var count: Int { ends.count }

  /// Returns the transformed index and the end of the value.
  package func tail(by encode: (Data) throws -> Data) throws -> Data {
    var tail = try encode(Self.sealed(data, PartedFormat.indexNumber, id))
    tail.append(littleEndian: UInt64(tail.count))
    return tail + PartedFormat.endMagic
  }

  private var data: Data {
    var data = Data(capacity: 16 + 4 * ends.count)
    data.append(littleEndian: UInt64(length))
    data.append(littleEndian: UInt32(partSize))
    data.append(littleEndian: UInt32(ends.count))
    for number in ends.indices { data.append(littleEndian: UInt32(range(of: number).count)) }
    return data
  }

  /// Returns the transformed bytes of a part.
  package func range(of number: Int) -> Range<Int> {
    (number == 0 ? PartedFormat.headSize : ends[number - 1])..<ends[number]
  }

  /// Returns a part, transformed back.
  package func part(_ number: Int, _ bytes: Data, by decode: (Data) throws -> Data) throws -> Data {
    let part = try Self.opened(bytes, UInt64(number), id, by: decode)
    guard part.count == min(partSize, length - number * partSize) else {
      throw PartedFormat.damaged("part \(number) has \(part.count) bytes")
    }
    return part
  }

  /// Returns the number of bytes of the index and the end, from the last bytes of a value; `nil` if these are too few.
  package static func size(ofTail tail: Data, length: Int) throws -> Int? {
    guard tail.count >= PartedFormat.tailSize else { return nil }
    let end = tail.suffix(PartedFormat.tailSize)
    let size: UInt64 = end.number(at: 0)
    guard end.suffix(8) == PartedFormat.endMagic,
      size <= length - PartedFormat.headSize - PartedFormat.tailSize
    else { throw PartedFormat.damaged("its end is not there") }
    return Int(size) + PartedFormat.tailSize
  }

  /// Returns a part with the identity of the value and its number in front.
  package static func sealed(_ part: Data, _ number: UInt64, _ id: Data) -> Data {
    var data = Data(capacity: id.count + 8 + part.count)
    data.append(id)
    data.append(littleEndian: number)
    data.append(part)
    return data
  }

  private static func opened(
    _ bytes: Data, _ number: UInt64, _ id: Data, by decode: (Data) throws -> Data
  ) throws -> Data {
    let data = try decode(bytes)
    guard data.count >= 24, data.prefix(16) == id, data.number(at: 16) == number else {
      throw PartedFormat.damaged("a part belongs elsewhere")
    }
    return data.dropFirst(24)
  }
}

extension Data {
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    withUnsafeBytes { $0.number(at: offset) }
  }
}
