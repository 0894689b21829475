import StrataDelegate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The format of a secret in keychains that store only bytes. The expiry precedes the secret, as does the account if
/// the keychain cannot store its name.
///
/// `01`, the seconds since 1970 as a little-endian Float64 (infinity for never), the secret. Or `02`, the seconds, the
/// number of bytes of the account as a little-endian UInt32, the account in UTF-8, the secret. `03` is reserved for a
/// later version.
///
/// Bytes that begin otherwise, as JSON does, are a secret of another program and never expire.
enum SecretEnvelope {
  private static let plainHead = 9
  private static let namedHead = 13

  static func make(_ secret: Data, date: Double?, account: String? = nil) -> WipedBytes {
    let name = account.map { Array($0.utf8) }
    let head = name.map { namedHead + $0.count } ?? plainHead
    let bytes = WipedBytes(head + secret.count)
    let buffer = bytes.buffer
    buffer[0] = name == nil ? 1 : 2
    buffer.put((date ?? .infinity).bitPattern, at: 1)
    if let name {
      buffer.put(UInt32(name.count), at: plainHead)
      buffer.part(namedHead...).copyBytes(from: name)
    }
    buffer.part(head...).copyBytes(from: secret)
    return bytes
  }

  /// The decoded head of an envelope.
  struct Contents {
    /// The seconds since 1970 at which the secret expires; `nil` for never.
    let date: Double?
    /// The account, if the envelope names one.
    let account: String?
    fileprivate let start: Int
  }

  /// Returns a copy of the secret in an envelope.
  static func secret(in bytes: UnsafeRawBufferPointer) throws(StorageError) -> StoredSecret {
    let contents = try open(bytes)
    return StoredSecret(value: Data(bytes[contents.start...]), date: contents.date)
  }

  /// Decodes the head of an envelope, or accepts bytes of another program. The secret is not copied.
  static func open(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Contents {
    guard let kind = bytes.first else { throw damaged("there are no bytes") }
    if kind == 3 {
      throw .newerFormat.with(
        "the secret was stored by a newer version of Strata (format \(kind)): update this program")
    }
    guard (1...2).contains(kind) else { return Contents(date: nil, account: nil, start: 0) }
    let head = kind == 1 ? plainHead : namedHead
    guard bytes.count >= head else { throw damaged("there are only \(bytes.count) bytes") }
    let date = Double(bitPattern: bytes.number(at: 1))
    guard !date.isNaN else { throw damaged("the expiry is invalid") }
    var (account, start) = (String?.none, head)
    if kind == 2 {
      let length = Int(bytes.number(at: plainHead) as UInt32)
      guard bytes.count - head >= length else { throw damaged("the account is truncated") }
      start += length
      account = String(decoding: bytes[head..<start], as: UTF8.self)
    }
    return Contents(date: date == .infinity ? nil : date, account: account, start: start)
  }

  private static func damaged(_ reason: String) -> StorageError {
    .malformedFileAttributes.with(
      "the stored bytes are damaged, or not a secret of Strata: \(reason). Save it again, or delete it")
  }
}
