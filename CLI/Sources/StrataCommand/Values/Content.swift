import StrataCBOR

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The format of a value's bytes, in which `get` shows them.
enum Content: String, CaseIterable {
  case json, cbor, plist, text, hex

  /// Guesses the format from the bytes.
  init(of bytes: Data) {
    if bytes.starts(with: Array("bplist00".utf8)) {
      self = .plist
    } else if bytes.isEmpty {
      self = .text
    } else if let text = String(validating: bytes, as: UTF8.self), Self.isReadable(text) {
      if text.hasPrefix("<?xml"), text.contains("<plist") {
        self = .plist
      } else {
        self = (try? JSON(json: bytes)) == nil ? .text : .json
      }
    } else {
      self = Self.isCBOR(bytes) ? .cbor : .hex
    }
  }

  /// Returns the value as text in this format: JSON for structured formats, digits for `hex`.
  func shown(_ bytes: Data) throws -> String {
    switch self {
    case .json, .cbor, .plist: return try value(of: bytes).pretty + "\n"
    case .text:
      let text = String(decoding: bytes, as: UTF8.self)
      return text.hasSuffix("\n") || text.isEmpty ? text : text + "\n"
    case .hex: return HexDump.text(bytes)
    }
  }

  /// Decodes the value of a structured format. Throws if the bytes are not in this format.
  private func value(of bytes: Data) throws -> JSON {
    do {
      switch self {
      case .cbor: return try CBORDecoder().decode(JSON.self, from: bytes)
      case .plist: return try PropertyListDecoder().decode(JSON.self, from: bytes)
      default: return try JSON(json: bytes)
      }
    } catch {
      throw Failure(.failed, "decodingFailed", "the value is not \(rawValue): \(error)")
    }
  }

  private static func isReadable(_ text: String) -> Bool {
    !text.unicodeScalars.contains {
      $0.value < 0x20 && !"\n\r\t".unicodeScalars.contains($0) || $0.value == 0x7F
    }
  }

  /// Returns whether bytes are a map or an array of CBOR. Other items are not detected: arbitrary bytes are too often a
  /// valid number or short string of CBOR.
  private static func isCBOR(_ bytes: Data) -> Bool {
    guard let first = bytes.first, [4, 5].contains(first >> 5) || bytes.starts(with: [0xD9, 0xD9, 0xF7])
    else {
      return false
    }
    // Bytes that cannot be decoded have another format, so the error is dropped.
    return (try? CBORDecoder().decode(JSON.self, from: bytes)) != nil
  }
}

/// Formats bytes as lines of 16 hexadecimal numbers, with their ASCII characters.
enum HexDump {
  static func text(_ bytes: Data) -> String {
    var text = ""
    var offset = 0
    var rest = bytes[...]
    while !rest.isEmpty {
      let row = rest.prefix(16)
      rest = rest.dropFirst(16)
      var digits = ""
      for (index, byte) in row.enumerated() {
        digits += (index == 8 ? "  " : index == 0 ? "" : " ") + hex(Int(byte), 2)
      }
      let characters = row.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
      text += "\(hex(offset, 8))  \(Units.left(digits, 48))  |\(characters)|\n"
      offset += row.count
    }
    return text
  }

  private static func hex(_ value: Int, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
