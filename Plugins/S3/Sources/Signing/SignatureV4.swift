import StrataCore

/// AWS's Signature Version 4: proves that a request comes from the holder of a secret key, and was not changed.
struct SignatureV4: Sendable {
  /// The parts of a request that are signed.
  struct Message: Sendable {
    var method: String
    /// The percent-encoded path, as it is sent.
    var path: String
    /// Names and values that are not encoded yet.
    var query: [(name: String, value: String)] = []
    /// All fields are signed, among them the host.
    var fields: [(name: String, value: String)]
    /// The hash of the body in hexadecimal digits, or the name of another way to sign it.
    var payload: String
  }

  static let algorithm = "AWS4-HMAC-SHA256"

  let credentials: S3Credentials
  let date: SigningDate
  /// The day, region and service for which the key is valid.
  let scope: String
  private let key: HMAC

  /// - Parameter last: A signature whose key is taken, if it is the same.
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

  /// Returns whether these are the credentials and the second of this signature.
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

  /// Returns the signature of a chunk of a body, which depends on the signature before it.
  func signature(ofChunk hash: [UInt8], after previous: String) -> String {
    sign([
      "\(Self.algorithm)-PAYLOAD", date.second, scope, previous, Encoding.hashOfNothing, Encoding.hex(hash),
    ])
  }

  private func sign(_ lines: [String]) -> String {
    Encoding.hex(key.code(Array(lines.joined(separator: "\n").utf8)))
  }

  /// Returns the key that signs on one day, in one region and for one service.
  private static func key(_ secret: String, _ parts: [String]) -> HMAC {
    HMAC(key: parts.reduce(Array("AWS4\(secret)".utf8)) { HMAC(key: $0).code(Array($1.utf8)) })
  }
}
