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
  private let key: [UInt8]

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

  /// Returns the value of the field `Authorization`.
  func authorization(of message: Message, signature: String) -> String {
    let fields = Self.canonicalFields(message.fields)
    return "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
      + "SignedHeaders=\(Self.names(fields)), Signature=\(signature)"
  }

  /// Returns the signature in hexadecimal digits.
  func signature(of message: Message) -> String {
    let hash = Encoding.hex(SHA256.hash(Array(Self.canonical(message).utf8)))
    return sign([Self.algorithm, date.second, scope, hash])
  }

  /// Returns the signature of a chunk of a body, which depends on the signature before it.
  func signature(ofChunk hash: [UInt8], after previous: String) -> String {
    sign([
      "\(Self.algorithm)-PAYLOAD", date.second, scope, previous, Encoding.hex(SHA256.hash([])),
      Encoding.hex(hash),
    ])
  }

  /// Returns the form of a request of which the hash is signed.
  static func canonical(_ message: Message) -> String {
    let query =
      message.query.map { (Encoding.percent($0.name), Encoding.percent($0.value)) }
      .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    let fields = canonicalFields(message.fields)
    let lines = fields.map { "\($0):\($1)\n" }.joined()
    return [message.method, message.path, query, lines, names(fields), message.payload].joined(
      separator: "\n")
  }

  /// Returns the fields with lowercase names, in order, without superfluous spaces, those of one name joined.
  private static func canonicalFields(_ fields: [(name: String, value: String)]) -> [(String, String)] {
    var values: [String: [String]] = [:]
    for (name, value) in fields {
      values[name.lowercased(), default: []].append(trimmed(value))
    }
    return values.map { ($0, $1.joined(separator: ",")) }.sorted {
      $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
    }
  }

  /// Returns a value with single spaces, and none at its ends.
  private static func trimmed(_ value: String) -> String {
    var previous = UInt8(ascii: " ")
    let isTrimmed = value.utf8.allSatisfy { byte in
      defer { previous = byte }
      return byte > 0x20 || byte == 0x20 && previous != 0x20
    }
    if isTrimmed, previous != 0x20 { return value }
    return value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func names(_ fields: [(String, String)]) -> String {
    fields.map(\.0).joined(separator: ";")
  }

  private func sign(_ lines: [String]) -> String {
    Encoding.hex(HMAC.code(Array(lines.joined(separator: "\n").utf8), key: key))
  }

  /// Returns the key that signs on one day, in one region and for one service.
  private static func key(_ secret: String, _ parts: [String]) -> [UInt8] {
    parts.reduce(Array("AWS4\(secret)".utf8)) { HMAC.code(Array($1.utf8), key: $0) }
  }
}
