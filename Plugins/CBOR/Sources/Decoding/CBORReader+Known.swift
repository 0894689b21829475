#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the types that have a representation of their own in CBOR.
extension CBORReader {
  func uuid(at place: CBORPlace) throws -> UUID {
    let offset = untagged(place.offset)
    // Other programs may write a UUID as text.
    if base[offset] >> 5 == MajorType.text {
      guard let uuid = UUID(uuidString: try text(at: place)) else {
        throw corrupted("the text is not a UUID", at: place)
      }
      return uuid
    }
    let bytes = try bytes(for: UUID.self, at: place)
    guard bytes.count == 16 else {
      throw corrupted("a UUID has 16 bytes, not \(bytes.count)", at: place)
    }
    return UUID(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self))
  }

  func url(at place: CBORPlace) throws -> URL {
    guard let url = URL(string: try text(at: place)) else {
      throw corrupted("the text is not a URL", at: place)
    }
    return url
  }

  /// Returns a date with a tag, as other programs write it, or `nil` for an item without such a tag: a `Date` encodes
  /// itself as a number.
  func date(at place: CBORPlace) throws -> Date? {
    guard base[place.offset] >> 5 == MajorType.tag else { return nil }
    let value = CBORPlace(offset: untagged(place.offset), depth: place.depth)
    switch head(at: place.offset).number {
    case TagNumber.epoch: return Date(timeIntervalSince1970: try double(at: value))
    case TagNumber.dateText:
      let text = try text(at: value)
      let whole = Date.ISO8601FormatStyle()
      do { return try whole.parse(text) } catch {}
      do {
        return try whole.year().month().day().time(includingFractionalSeconds: true).timeZone(
          separator: .colon
        ).parse(text)
      } catch { throw corrupted("the text is not a date of RFC 3339", at: place) }
    default: return nil
    }
  }

  /// Returns bytes from a byte string, or from an array of numbers, which other programs may write.
  func byteArray(at place: CBORPlace) throws -> [UInt8] {
    if base[untagged(place.offset)] >> 5 == MajorType.bytes {
      return Array(try bytes(for: [UInt8].self, at: place))
    }
    return try array(at: place) { try integer(UInt8.self, at: $0) }
  }
}
