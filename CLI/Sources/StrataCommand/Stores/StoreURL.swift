/// The address of a store, such as `disk:/var/cache/app/users` or `redis://host:6379/0?namespace=users`.
struct StoreURL: Sendable {
  /// The text as it was given.
  let text: String
  /// The part before the first colon, in lowercase.
  let scheme: String
  /// The part between scheme and question mark, without percent-encoding; for servers with host and port.
  let path: String
  /// The parameters behind the question mark.
  let parameters: [String: String]

  /// Reads an address. For a path without a scheme the backend is found by looking at the file or folder.
  init(_ text: String) throws(Failure) {
    self.text = text
    let end = text.firstIndex(of: "?") ?? text.endIndex
    let address = text[..<end]
    var parameters: [String: String] = [:]
    for part in text[end...].dropFirst().split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = Self.decoded(pair[1]) else {
        throw .usage("“\(part)” is no parameter of a store: write name=value")
      }
      parameters[String(pair[0])] = value
    }
    self.parameters = parameters
    let name = address.prefix { $0 != ":" && $0 != "/" }
    if name.endIndex < address.endIndex, address[name.endIndex] == ":" {
      scheme = name.lowercased()
      let rest = address[address.index(after: name.endIndex)...]
      // Both disk:/path and disk:///path are usual.
      let isLocal = rest.hasPrefix("///")
      guard let path = Self.decoded(isLocal ? rest.dropFirst(2) : rest) else {
        throw .usage("“\(text)” has a % that is not followed by two hexadecimal digits")
      }
      self.path = path
    } else {
      path = String(address)
      guard let found = Backends.scheme(ofPath: path) else {
        throw .missing(
          "“\(text)” is no store that Strata knows: write its address as \(Backends.schemes.joined(separator: ":, ")):",
          place: path)
      }
      scheme = found
    }
    if path.isEmpty { throw .usage("“\(text)” names no place") }
  }

  /// Throws if the address has other parameters than these.
  func expect(_ names: [String]) throws(Failure) {
    for name in parameters.keys.sorted() where !names.contains(name) {
      let known = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw .usage("a store of \(scheme): has no parameter “\(name)”; it has \(known)")
    }
  }

  /// A parameter that the address must have.
  func required(_ name: String, _ meaning: String) throws(Failure) -> String {
    guard let value = parameters[name], !value.isEmpty else {
      throw .usage("“\(text)” lacks ?\(name)=…: \(meaning)")
    }
    return value
  }

  /// The part between scheme and question mark as it was given.
  var address: String { String(text.prefix { $0 != "?" }) }

  /// The server of `scheme://user@host:port/…`, with the user; empty if the address names none.
  var authority: String {
    guard path.hasPrefix("//") else { return "" }
    return String(path.dropFirst(2).prefix { $0 != "/" })
  }

  /// Throws if the address has a password.
  func refusePassword() throws(Failure) {
    guard authority.contains("@"), authority.prefix(while: { $0 != "@" }).contains(":") else { return }
    throw Failure(
      .usage, "usage", "a password on the command line can be read by every user of this machine",
      advice: "give it by --password-file FILE or $STRATA_PASSWORD")
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
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
