/// The address of a store, such as `disk:/var/cache/app/users` or `redis://host:6379/0?namespace=users`.
struct StoreURL: Sendable {
  /// The whole address as it was typed.
  let text: String
  /// The part before the first colon, in lowercase.
  let scheme: String
  /// The part between scheme and question mark, percent-decoded. The path of a server's address includes the host.
  let path: String
  /// The parameters after the question mark, percent-decoded.
  let parameters: [String: String]

  /// Parses an address. A path without a scheme gets the scheme of the backend that recognizes the file or folder.
  init(_ text: String) throws(Failure) {
    self.text = text
    let end = text.firstIndex(of: "?") ?? text.endIndex
    let address = text[..<end]
    var parameters: [String: String] = [:]
    for part in text[end...].dropFirst().split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = Self.decoded(pair[1]) else {
        throw .usage("“\(part)” is not a parameter: write name=value")
      }
      parameters[String(pair[0])] = value
    }
    self.parameters = parameters
    let name = address.prefix { $0 != ":" && $0 != "/" }
    if name.endIndex < address.endIndex, address[name.endIndex] == ":" {
      scheme = name.lowercased()
      let rest = address[address.index(after: name.endIndex)...]
      // disk:///path means the same as disk:/path.
      let isLocal = rest.hasPrefix("///")
      guard let path = Self.decoded(isLocal ? rest.dropFirst(2) : rest) else {
        throw .usage("“\(text)” has a % that is not followed by two hexadecimal digits")
      }
      self.path = path
    } else {
      path = String(address)
      guard let found = Backends.scheme(ofPath: path) else {
        throw .missing(
          "“\(text)” is not an address of a store: write it as \(Backends.schemes.joined(separator: ":, ")):",
          place: path)
      }
      scheme = found
    }
    if path.isEmpty { throw .usage("“\(text)” contains no path: write SCHEME:PATH") }
  }

  /// Throws if the address has a parameter with another name.
  func expect(_ names: [String]) throws(Failure) {
    for name in parameters.keys.sorted() where !names.contains(name) {
      let known = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw .usage("a store of \(scheme): has no parameter “\(name)”; it has \(known)")
    }
  }

  /// Returns a parameter, or throws if the address lacks it. The error contains its `meaning`.
  func required(_ name: String, _ meaning: String) throws(Failure) -> String {
    guard let value = parameters[name], !value.isEmpty else {
      throw .usage("“\(text)” lacks ?\(name)=…: \(meaning)")
    }
    return value
  }

  /// The scheme and the path as they were typed, without the parameters.
  var address: String { String(text.prefix { $0 != "?" }) }

  /// The user, host and port of `scheme://user@host:port/…`, or an empty text if the address has no host.
  var authority: String {
    guard path.hasPrefix("//") else { return "" }
    return String(path.dropFirst(2).prefix { $0 != "/" })
  }

  /// Throws if the address has a password. `advice` is the part of the error that explains how to give it.
  func refusePassword(
    advice: String = "give it by --password-file FILE or $STRATA_PASSWORD"
  ) throws(Failure) {
    guard authority.contains("@"), authority.prefix(while: { $0 != "@" }).contains(":") else { return }
    throw Failure(
      .usage, "usage", "a password on the command line can be read by every user of this machine",
      advice: advice)
  }

  private static func decoded(_ text: Substring) -> String? {
    guard text.contains("%") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      // The number's initializer accepts a sign.
      guard rest.count >= 2, rest.first != UInt8(ascii: "+"), rest.first != UInt8(ascii: "-"),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
