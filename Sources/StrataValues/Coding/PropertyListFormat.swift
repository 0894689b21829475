#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The form in which property lists are written. Both forms are always read.
///
/// ```swift
/// let settings = disk.mapPlist(format: .xml)
/// ```
public enum PropertyListFormat: Sendable, Hashable {
  /// The compact binary form.
  case binary
  /// The form that people can read.
  case xml

  @usableFromInline package var encoder: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = self == .xml ? .xml : .binary
    return encoder
  }
}

extension PropertyListEncoder {
  /// Encodes a value of any type. A value that cannot be a property list by itself is encoded as an array of one
  /// element.
  func encodeAny<T: Encodable>(_ value: T) throws -> Data {
    do {
      let plain = try encode(value)
      return try PropertyListDecoder().hasArrayOfOne(plain) ? try encode([value]) : plain
    } catch let error as EncodingError {
      // A second failure is the same, or caused by the array: the first error says why.
      guard let wrapped = try? encode([value]) else { throw error }
      return wrapped
    }
  }
}

extension PropertyListDecoder {
  /// Decodes a property list that `encodeAny` or another program has encoded.
  func decodeAny<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    guard try hasArrayOfOne(data) else { return try decode(type, from: data) }
    do { return try decode([T].self, from: data)[0] } catch let error as DecodingError {
      // Another program may have written an array that is itself the value.
      guard let plain = try? decode(type, from: data) else { throw error }
      return plain
    }
  }

  /// Returns whether the root of a property list is an array of one element.
  func hasArrayOfOne(_ data: Data) throws -> Bool {
    // In Foundation's binary form, the root follows the header of eight bytes. Its first byte holds its kind and its
    // count.
    if data.starts(with: Array("bplist".utf8)) { return data.dropFirst(8).first == 0xA1 }
    return try decode(Top.self, from: data).isArrayOfOne
  }
}

/// The shape of the root of a property list.
private struct Top: Decodable {
  let isArrayOfOne: Bool

  init(from decoder: any Decoder) throws {
    do {
      isArrayOfOne = try decoder.unkeyedContainer().count == 1
    } catch DecodingError.typeMismatch {
      isArrayOfOne = false
    }
  }
}
