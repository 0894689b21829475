#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file names of AsyncStorages. The files contain the bytes of the values and nothing else.
enum AsyncStoragesFile {
  /// Returns the key that a file is named by; `nil` if it is named by none. The name is the key's UTF-8 in Base64, with
  /// `-` and `_` in place of `+` and `/`, and with padding.
  static func key(of name: String) -> String? {
    guard !name.isEmpty,
      let bytes = Data(base64Encoded: name.replacing("-", with: "+").replacing("_", with: "/")),
      let key = String(validating: bytes, as: UTF8.self), self.name(of: key) == name
    else { return nil }
    return key
  }

  private static func name(of key: String) -> String {
    Data(key.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }
}
