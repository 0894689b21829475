#if os(Linux)
  import StrataCore

  /// The description of a key: `strata:`, its keyring, the service and the account, with colons between.
  ///
  /// The keyring is named because a search in one also looks through those that are linked there. What is too long is a
  /// hash.
  struct KernelKeyName {
    /// The kernel allows 4095 bytes.
    private static let longest = 1500

    let description: String
    /// Whether the account can be read from the description.
    let isWhole: Bool

    init(_ keyring: KernelKeyring, _ service: String, _ account: String) {
      let part = Self.part(account)
      description = Self.prefix(keyring, service) + part
      isWhole = !part.hasPrefix("#")
    }

    /// What the descriptions of a service's keys begin with, and no others.
    static func prefix(_ keyring: KernelKeyring, _ service: String) -> String {
      // A colon in the service would end it.
      let service = part(service).split(separator: ":", omittingEmptySubsequences: false).joined(
        separator: "%3A")
      return "strata:\(keyring):\(service):"
    }

    /// The account in a description of a whole name.
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
