#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The names and contents of the files of Cache by hyperoslo.
enum CacheFile {
  /// Returns the names that the file of a key may have: the MD5 of the key in hexadecimal, and the key's file
  /// extension. Cache writes the MD5 in uppercase.
  static func names(of key: [UInt8]) -> [String] {
    let name = EntryName.hex(MD5.hash(key))
    return [name.uppercased(), name].map { $0 + suffix(of: key) }
  }

  /// Returns the file extension of a key, with its dot: the part of the last component from its last dot on. A dot at
  /// either end of the component starts no extension.
  private static func suffix(of key: [UInt8]) -> String {
    let last = key.split(separator: UInt8(ascii: "/")).last ?? []
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot != last.startIndex, dot + 1 < last.endIndex
    else { return "" }
    return String(decoding: last[dot...], as: UTF8.self)
  }

  /// Returns the stored value. Cache wraps a typed value in a JSON object, `{"object":…}`, whose only member is
  /// returned. Otherwise all bytes are returned.
  static func value(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: head), bytes.last == UInt8(ascii: "}") else { return bytes }
    let member = bytes[head.count..<bytes.count - 1]
    return isOneValue(member) ? Array(member) : bytes
  }

  /// Returns the expiry of an entry: the time of its file's last modification. Cache writes 68 years after 1970 for
  /// "never".
  static func expiry(_ status: FileStatus) -> Expiry {
    let date = Date(timeIntervalSince1970: Double(status.modified) / 1e9)
    return date.timeIntervalSince1970 >= 68 * 365 * 86_400 ? .never : .date(date)
  }

  private static let head = Array(#"{"object":"#.utf8)

  /// Returns whether there is no second member, and no bracket is closed that was not opened.
  private static func isOneValue(_ json: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var isString = false
    var isEscaped = false
    for byte in json {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = isString
      case UInt8(ascii: "\""): isString.toggle()
      case _ where isString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth < 0 { return false }
      case UInt8(ascii: ","): if depth == 0 { return false }
      default: break
      }
    }
    return depth == 0 && !isString && !json.isEmpty
  }
}
