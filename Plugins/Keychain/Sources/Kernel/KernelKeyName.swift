#if os(Linux)
  import StrataDelegate

  /// The description of a key: `strata:`, its keyring, the service and the account, separated by colons.
  ///
  /// The keyring is named because a search in one keyring also searches the keyrings linked into it. A service or
  /// account that is too long is replaced by a hash.
  struct KernelKeyName {
    /// The maximum length of a part. The kernel allows 4095 bytes for the whole description.
    private static let longest = 1500

    let description: String
    /// Whether the description contains the account, rather than a hash of it.
    let isWhole: Bool

    init(_ keyring: KernelKeyring, _ service: String, _ account: String) {
      let part = Self.part(account)
      description = Self.prefix(keyring, service) + part
      isWhole = !part.hasPrefix("#")
    }

    /// Returns the prefix of the descriptions of a service's keys, and of no other keys.
    static func prefix(_ keyring: KernelKeyring, _ service: String) -> String {
      // An unescaped colon would end the service.
      let service = part(service).split(separator: ":", omittingEmptySubsequences: false).joined(
        separator: "%3A")
      return "strata:\(keyring):\(service):"
    }

    /// Returns the account in a description that contains it.
    static func account(in description: String) -> String? {
      let parts = description.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      return parts.count == 4 ? SecretName.plain(String(parts[3])) : nil
    }

    private static func part(_ name: String) -> String {
      let text = SecretName.escaped(name)
      if text.utf8.count <= longest, !text.hasPrefix("#") { return text }
      let digits = SHA256.hash(Array(name.utf8)).flatMap { [$0 >> 4, $0 & 15] }
      return "#" + digits.map { String($0, radix: 16) }.joined()
    }
  }
#endif
