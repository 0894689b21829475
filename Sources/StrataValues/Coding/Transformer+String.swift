#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Transformer where Value == String {
  /// Returns a transformer of text in an encoding.
  ///
  /// ```swift
  /// let notes = Storage(back: disk, transformer: .string())
  /// try notes.setObject("Meet at noon.", forKey: "monday")
  /// ```
  ///
  /// UTF-8 is exact: every text is read as it was written, and bytes that are not valid UTF-8 are refused. Without the
  /// full Foundation, only UTF-8, UTF-16, UTF-32, ASCII, Latin 1 and Mac Roman are available. Text that the encoding
  /// cannot represent is refused.
  public static func string(_ encoding: String.Encoding = .utf8) -> Self {
    Transformer(
      format: ByteFormat("string \(encoding.rawValue)"),
      toData: { string in
        guard let data = string.data(using: encoding) else {
          throw StorageError.encodingFailed.with("the text cannot be encoded in \(encoding)")
        }
        return data
      },
      fromData: { data in
        // Foundation removes a byte order mark at the start of UTF-8, even if it is a part of the stored text.
        let string =
          encoding == .utf8 ? String(validating: data, as: UTF8.self) : String(data: data, encoding: encoding)
        guard let string else {
          throw StorageError.decodingFailed.with("\(data.count) bytes are not text in \(encoding)")
        }
        return string
      })
  }
}
