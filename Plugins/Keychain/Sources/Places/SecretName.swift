/// Encodes texts for the C interfaces of keychains: without NUL, and different for different texts.
enum SecretName {
  /// Replaces NUL by `%00` and `%` by `%25`.
  static func escaped(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "%") }) else { return name }
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\0": text += "%00"
      case "%": text += "%25"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Returns the name that `escaped` encoded, or `nil` if `escaped` cannot return this text.
  static func plain(_ text: String) -> String? {
    var name = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        name.unicodeScalars.append(scalar)
        continue
      }
      switch String(rest.prefix(2)) {
      case "00": name.unicodeScalars.append("\0")
      case "25": name.unicodeScalars.append("%")
      default: return nil
      }
      rest.removeFirst(2)
    }
    return name
  }
}
