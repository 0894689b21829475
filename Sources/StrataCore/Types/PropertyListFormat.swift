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

extension PropertyListDecoder {
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
