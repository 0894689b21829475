#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension [UInt8] {
  /// Decodes base64; `nil` for anything else.
  init?(base64 text: Substring) {
    guard let data = Data(base64Encoded: String(text)) else { return nil }
    self = [UInt8](data)
  }
}
