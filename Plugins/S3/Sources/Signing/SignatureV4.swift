import StrataCore

/// AWS's Signature Version 4. It proves that a request was made by a holder of the secret key, and has not been
/// changed.
struct SignatureV4: Sendable {
  /// The parts of a request that are signed.
  struct Message: Sendable {
    var method: String
    /// The percent-encoded path.
    var path: String
    /// The names and values, not percent-encoded.
    var query: [(name: String, value: String)] = []
    /// The fields to sign, including `Host`.
    var fields: [(name: String, value: String)]
    /// The hash of the body in hexadecimal digits, or S3's name for another way to sign the body.
    var payload: String
  }

  static let algorithm = "AWS4-HMAC-SHA256"

  let credentials: S3Credentials
  let date: SigningDate
  /// The day, region and service for which the key is valid.
  let scope: String
  private let key: HMAC

  /// - Parameter last: An earlier signature. Its signing key is reused if it has the same secret, day and region.
  init(
    credentials: S3Credentials, region: String, service: String = "s3", date: SigningDate,
    after last: SignatureV4? = nil
  ) {
    let parts = [date.day, region, service, "aws4_request"]
    self.credentials = credentials
    self.date = date
    scope = parts.joined(separator: "/")
    let isSame = last?.scope == scope && last?.credentials.secretAccessKey == credentials.secretAccessKey
    key = last.flatMap { isSame ? $0.key : nil } ?? Self.key(credentials.secretAccessKey, parts)
  }

  /// Returns whether this signature was made with the same credentials in the same second.
  func isSigned(by other: S3Credentials, inSecond second: Int) -> Bool {
    date.seconds == second && credentials.secretAccessKey == other.secretAccessKey
      && credentials.accessKeyID == other.accessKeyID && credentials.sessionToken == other.sessionToken
  }

  /// Returns the value of the field `Authorization`, and the signature in it.
  func authorization(of message: Message) -> (field: String, signature: String) {
    let canonical = Canonical(message)
    let signature = signature(of: canonical)
    let field =
      "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
      + "SignedHeaders=\(canonical.names), Signature=\(signature)"
    return (field, signature)
  }

  /// Returns the signature in hexadecimal digits.
  func signature(of canonical: Canonical) -> String {
    sign([Self.algorithm, date.second, scope, Encoding.hex(SHA256.hash(Array(canonical.text.utf8)))])
  }

  /// Returns the signature of a chunk of a body, which covers the previous chunk's signature.
  func signature(ofChunk hash: [UInt8], after previous: String) -> String {
    sign([
      "\(Self.algorithm)-PAYLOAD", date.second, scope, previous, Encoding.hashOfNothing, Encoding.hex(hash),
    ])
  }

  private func sign(_ lines: [String]) -> String {
    Encoding.hex(key.code(Array(lines.joined(separator: "\n").utf8)))
  }

  /// Returns the signing key for one day, region and service.
  private static func key(_ secret: String, _ parts: [String]) -> HMAC {
    HMAC(key: parts.reduce(Array("AWS4\(secret)".utf8)) { HMAC(key: $0).code(Array($1.utf8)) })
  }
}
