#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// How Cache by hyperoslo names its files, and what is in them.
enum CacheFile {
  /// The names that the file of a key may have: the MD5 of the key in hexadecimal, and the key's file extension. Cache
  /// writes it in uppercase.
  static func names(of key: [UInt8]) -> [String] {
    let name = EntryName.hex(MD5.hash(key))
    return [name.uppercased(), name].map { $0 + suffix(of: key) }
  }

  /// The file extension of a key, with its dot: what follows the last dot of the last component. A dot at either end of
  /// the component begins none.
  private static func suffix(of key: [UInt8]) -> String {
    let last = key.split(separator: UInt8(ascii: "/")).last ?? []
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot != last.startIndex, dot + 1 < last.endIndex
    else { return "" }
    return String(decoding: last[dot...], as: UTF8.self)
  }

  /// What was stored: of a typed value, which Cache puts into a JSON object as its only member, `{"object":…}`, the
  /// member; of anything else all bytes.
  static func value(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: head), bytes.last == UInt8(ascii: "}") else { return bytes }
    let member = bytes[head.count..<bytes.count - 1]
    return isOneValue(member) ? Array(member) : bytes
  }

  /// When an entry expires: the time of its file's last modification. "Never" is written as 68 years after 1970.
  static func expiry(_ status: FileStatus) -> Expiry {
    let date = Date(timeIntervalSince1970: Double(status.modified) / 1e9)
    return date.timeIntervalSince1970 >= 68 * 365 * 86_400 ? .never : .date(date)
  }

  private static let head = Array(#"{"object":"#.utf8)

  /// Whether there is no second member, and nothing is closed that was not opened.
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
