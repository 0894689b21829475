#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a property list is written. Each is read whichever was asked for.
public enum PropertyListFormat: Sendable, Hashable {
  /// The compact form.
  case binary
  /// The form that a person can read.
  case xml

  @usableFromInline var encoder: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = self == .xml ? .xml : .binary
    return encoder
  }
}

extension PropertyListEncoder {
  /// Encodes a value of any type: one that can be no property list by itself as an array of one.
  func encodeAny<T: Encodable>(_ value: T) throws -> Data {
    do {
      let plain = try encode(value)
      return try PropertyListDecoder().hasArrayOfOne(plain) ? try encode([value]) : plain
    } catch let error as EncodingError {
      // A second failure is the same one again, or one that the array did not cause: the first says why.
      guard let wrapped = try? encode([value]) else { throw error }
      return wrapped
    }
  }
}

extension PropertyListDecoder {
  /// Decodes what `encodeAny` has encoded, or another program.
  func decodeAny<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    guard try hasArrayOfOne(data) else { return try decode(type, from: data) }
    do { return try decode([T].self, from: data)[0] } catch let error as DecodingError {
      // Another program may have written the array as it is.
      guard let plain = try? decode(type, from: data) else { throw error }
      return plain
    }
  }

  /// Whether a property list has an array of one element at its top.
  func hasArrayOfOne(_ data: Data) throws -> Bool {
    // In the binary form, as Foundation writes it, the header of eight bytes is followed by the top, whose first byte
    // has its kind and its count.
    if data.starts(with: Array("bplist".utf8)) { return data.dropFirst(8).first == 0xA1 }
    return try decode(Top.self, from: data).isArrayOfOne
  }
}

/// The shape of the top of a property list.
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
