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
  let region: String
  var service = "s3"
  let date: SigningDate

  /// The day, region and service for which a derived key is valid.
  var scope: String { "\(date.day)/\(region)/\(service)/aws4_request" }

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
      let words = value.split(whereSeparator: \.isWhitespace)
      values[name.lowercased(), default: []].append(words.joined(separator: " "))
    }
    return values.map { ($0, $1.joined(separator: ",")) }.sorted {
      $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
    }
  }

  private static func names(_ fields: [(String, String)]) -> String {
    fields.map(\.0).joined(separator: ";")
  }

  private func sign(_ lines: [String]) -> String {
    var key = Array("AWS4\(credentials.secretAccessKey)".utf8)
    for part in [date.day, region, service, "aws4_request"] { key = HMAC.code(Array(part.utf8), key: key) }
    return Encoding.hex(HMAC.code(Array(lines.joined(separator: "\n").utf8), key: key))
  }
}
