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

  /// Returns the elements of an array, or `nil` if the item is not an array.
  @inline(__always)
  func array<Element>(at place: CBORPlace, _ element: (CBORPlace) throws -> Element) throws -> [Element]? {
    let offset = untagged(place.offset)
    let head = head(at: offset)
    guard head.major == MajorType.array else { return nil }
    let count = Int(head.number)
    let cursor = cursor(place.depth, of: offset + head.size)
    var values: [Element] = []
    values.reserveCapacity(count)
    var at = cursor.pointee.start
    for index in 0..<count {
      cursor.pointee.key = -2 - index
      values.append(try element(CBORPlace(offset: at, depth: place.depth + 1)))
      at = CBORScan.end(of: at, in: base)
    }
    (cursor.pointee.next, cursor.pointee.value, cursor.pointee.taken) = (at, -1, count)
    return values
  }

  /// Returns bytes from a byte string, or from an array of numbers, which other programs may write.
  func byteArray(at place: CBORPlace) throws -> [UInt8]? {
    if base[untagged(place.offset)] >> 5 == MajorType.bytes {
      return Array(try bytes(for: [UInt8].self, at: place))
    }
    return try array(at: place) { try integer(UInt8.self, at: $0) }
  }

  func texts(at place: CBORPlace) throws -> [String: String] {
    let map = try map(at: place)
    let cursor = cursor(map.depth, of: map.start)
    var texts: [String: String] = [:]
    texts.reserveCapacity(map.count)
    var at = map.start
    for _ in 0..<map.count {
      cursor.pointee.key = at
      let key =
        base[at] >> 5 == MajorType.text
        ? try text(at: CBORPlace(offset: at, depth: place.depth + 1)) : key(at: at).stringValue
      at = CBORScan.end(of: at, in: base)
      let value = try text(at: CBORPlace(offset: at, depth: place.depth + 1))
      at = CBORScan.end(of: at, in: base)
      if texts[key] == nil { texts[key] = value }
    }
    (cursor.pointee.next, cursor.pointee.value, cursor.pointee.taken) = (at, -1, map.count)
    return texts
  }
}
