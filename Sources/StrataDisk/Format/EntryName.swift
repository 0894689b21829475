import StrataCore

/// The names of a store's files. Files with other names are foreign.
enum EntryName {
  /// Returns the name of a key's file: the SHA-256 of the key's canonical UTF-8, in hexadecimal, and `.strata`.
  static func of(_ key: [UInt8]) -> String { hex(SHA256.hash(key)) + ".strata" }

  /// Returns a name for a file that is still being written.
  static func temporary() -> String { ".strata-\(unique()).tmp" }

  /// Returns the name of a damaged file in `Damaged`.
  static func setAside(_ name: String) -> String { "\(name).\(unique())" }

  /// The name of the control file, which processes share.
  static let control = "control"
  /// The name of the folder of damaged files and bytes.
  static let damaged = "Damaged"
  /// The name of the folder of values that are too large for the log.
  static let values = "Values"

  /// Returns the name of a segment of the log.
  static func segment(_ number: Int) -> String { hex(bigEndian(number)) + ".log" }

  /// Returns the number in a segment's name; `nil` for any other name.
  static func segmentNumber(_ name: String) -> Int? {
    matches(name, digits: 16, ".log") ? Int(name.prefix(16), radix: 16) : nil
  }

  /// Returns the name of a value's file in its folder.
  static func value(_ number: UInt64) -> String { hex(bigEndian(number)) + ".value" }

  /// Returns the name of a file that contains a value and nothing else.
  static func plainValue(_ number: UInt64) -> String { hex(bigEndian(number)) + ".bytes" }

  /// Returns the name of the file that contains the value of an entry of the layout `.files` and nothing else.
  static func plainValue(_ number: UInt64, of entry: String) -> String {
    "\(entry.prefix(64)).\(plainValue(number))"
  }

  /// Returns whether a name is that of a file that contains a value and nothing else.
  static func isPlainValue(_ name: String) -> Bool { name.hasSuffix(".bytes") }

  /// Returns whether a name is that of a value's file, which a record of the log names.
  static func isValue(_ name: String) -> Bool {
    matches(name, digits: 16, ".value") || matches(name, digits: 16, ".bytes")
  }

  /// Returns the name of the entry of the layout `.files` to which a value's file belongs; `nil` for any other name.
  static func entry(ofPlainValue name: String) -> String? {
    guard name.utf8.count == 87 else { return nil }
    let entry = name.prefix(64) + ".strata"
    return isEntry(String(entry)) && matches(String(name.dropFirst(64)), ".", digits: 16, ".bytes")
      ? String(entry) : nil
  }

  static func isEntry(_ name: String) -> Bool { matches(name, digits: 64, ".strata") }

  /// Returns whether a name is an MD5, perhaps with a file extension.
  static func isMD5(_ name: String) -> Bool {
    let rest = name.utf8.dropFirst(32)
    return name.utf8.count >= 32 && name.utf8.prefix(32).allSatisfy { isHexadecimal($0) || isUppercase($0) }
      && (rest.isEmpty || rest.first == UInt8(ascii: "."))
  }

  static func isTemporary(_ name: String) -> Bool { matches(name, ".strata-", digits: 16, ".tmp") }

  /// Returns whether a name is a number of hexadecimal digits between a prefix and a suffix.
  @inline(never)
  private static func matches(
    _ name: String, _ prefix: String = "", digits: Int, _ suffix: String
  ) -> Bool {
    name.utf8.count == prefix.utf8.count + digits + suffix.utf8.count
      && name.hasPrefix(prefix) && name.hasSuffix(suffix)
      && name.utf8.dropFirst(prefix.utf8.count).prefix(digits).allSatisfy(isHexadecimal)
  }

  private static func unique() -> String {
    withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { hex($0) }
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Returns a number in hexadecimal.
  static func hex(_ number: UInt64) -> String { hex(bigEndian(number)) }

  static func hex(_ bytes: some Collection<UInt8>) -> String {
    let digits: StaticString = "0123456789abcdef"
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits.utf8Start[Int(byte >> 4)])
      text.append(digits.utf8Start[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isUppercase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
