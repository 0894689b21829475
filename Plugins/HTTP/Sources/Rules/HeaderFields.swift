import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The header fields of a message. Names are case-insensitive, and fields of one name are joined with commas.
struct HeaderFields: Equatable, Sendable {
  private struct Field: Equatable {
    var name: String
    var value: String
  }

  /// Keyed by the lowercase name.
  private var fields: [String: Field] = [:]

  init(_ fields: [String: String] = [:]) {
    // Sorted, so that names that differ only in case are always joined in the same order.
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      if let known = self[name] { self[name] = "\(known), \(value)" } else { self[name] = value }
    }
  }

  init(of response: HTTPURLResponse) {
    var fields: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields { fields[name] = value }
    self.init(fields)
  }

  subscript(name: String) -> String? {
    get { fields[name.lowercased()]?.value }
    set { fields[name.lowercased()] = newValue.map { Field(name: name, value: $0) } }
  }

  /// The fields with their original names.
  var dictionary: [String: String] {
    Dictionary(uniqueKeysWithValues: fields.values.map { ($0.name, $0.value) })
  }

  /// The values by lowercase name: equal for messages whose names differ only in case.
  var valuesByName: [String: String] { fields.mapValues(\.value) }

  /// Returns the members of a field that is a list of names, in lowercase.
  func names(in field: String) -> [String] {
    (self[field] ?? "").split(separator: ",").map { $0.trimming(" \t").lowercased() }.filter { !$0.isEmpty }
  }

  /// The fields that may be stored: all except the connection's own (RFC 9111, 3.1).
  var storable: HeaderFields {
    var kept = self
    for name in Self.ofConnection + names(in: "Connection") { kept[name] = nil }
    return kept
  }

  /// Whether the fields set cookies.
  var setsCookies: Bool { Self.cookies.contains { self[$0] != nil } }

  /// The fields, without fields that set cookies.
  var withoutCookies: HeaderFields {
    var kept = self
    for name in Self.cookies { kept[name] = nil }
    return kept
  }

  /// Returns these fields updated by the fields of a 304 (RFC 9111, 3.2). Fields about the form of the body are kept,
  /// since the body has been decoded.
  func updated(by newer: HeaderFields) -> HeaderFields {
    var updated = self
    for (name, field) in newer.storable.fields where !Self.ofBody.contains(name) {
      updated.fields[name] = field
    }
    return updated
  }

  private static let ofConnection = [
    "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    "proxy-authenticate",
    "proxy-authentication-info", "proxy-authorization",
  ]
  private static let cookies = ["set-cookie", "set-cookie2"]
  private static let ofBody: Set = ["content-length", "content-encoding", "content-range"]
}

/// Encoded as a dictionary from names to values.
extension HeaderFields: Codable {
  init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([String: String].self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(dictionary)
  }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
  /// Returns the text without the given ASCII characters at its ends.
  func trimming(_ characters: String) -> String {
    func isKept(_ byte: UInt8) -> Bool { !characters.utf8.contains(byte) }
    guard let first = utf8.firstIndex(where: isKept), let last = utf8.lastIndex(where: isKept) else {
      return ""
    }
    return String(self[first..<utf8.index(after: last)])
  }
}
