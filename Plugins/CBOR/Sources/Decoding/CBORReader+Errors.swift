extension CBORReader {
  func mismatch<T>(_ type: T.Type, at place: CBORPlace) -> DecodingError {
    let found = describe(untagged(place.offset))
    let context = DecodingError.Context(
      codingPath: path(to: place.depth), debugDescription: "expected \(type), but found \(found)")
    return found == "null" ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func outOfRange<T>(_ type: T.Type, _ number: String, at place: CBORPlace) -> DecodingError {
    corrupted("\(number) does not fit in a \(type)", at: place)
  }

  func corrupted(_ reason: String, at place: CBORPlace) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(to: place.depth), debugDescription: reason))
  }

  /// Describes an item without its value, which may be confidential.
  private func describe(_ offset: Int) -> String {
    switch base[offset] >> 5 {
    case MajorType.unsigned, MajorType.negative: "an integer"
    case MajorType.bytes: "bytes"
    case MajorType.text: "a text"
    case MajorType.array: "an array"
    case MajorType.map: "a map"
    default:
      switch base[offset] {
      case SimpleByte.null, SimpleByte.undefined: "null"
      case SimpleByte.yes, SimpleByte.no: "a boolean"
      default: "a number"
      }
    }
  }

  /// Returns the coding path of an item, from the cursors of its containers.
  func path(to depth: Int) -> [any CodingKey] {
    (0..<min(depth, state.pointee.capacity)).compactMap { level -> (any CodingKey)? in
      let key = state.pointee.cursors[level].key
      if key < -1 { return CBORKey(index: -2 - key) }
      return key < 0 ? nil : self.key(at: key)
    }
  }

  /// Returns a key of a map for a coding path: a text or a number as it is, any other item by its kind.
  func key(at offset: Int) -> CBORKey {
    let head = head(at: offset)
    switch head.major {
    case MajorType.text:
      let bytes = UnsafeBufferPointer(start: base + offset + head.size, count: Int(head.number))
      return CBORKey(stringValue: String(decoding: bytes, as: UTF8.self))
    case MajorType.unsigned:
      guard let number = Int(exactly: head.number) else { return CBORKey(stringValue: "\(head.number)") }
      return CBORKey(intValue: number)
    case MajorType.negative:
      let number = -1 - Int128(head.number)
      guard let small = Int(exactly: number) else { return CBORKey(stringValue: "\(number)") }
      return CBORKey(intValue: small)
    default: return CBORKey(stringValue: describe(offset))
    }
  }
}
