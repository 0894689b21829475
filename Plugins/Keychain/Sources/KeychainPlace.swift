import StrataDelegate

/// The keychain that stores the secrets. There is no fallback from one keychain to another: if a keychain cannot be
/// used, an error is thrown.
///
/// ```swift
/// let onDesktop = KeychainAccounts<String>(service: "com.example.shop", in: .secretService())
/// let onServer = KeychainAccounts<String>(
///   service: "com.example.shop", in: .vault("/var/lib/shop/secrets", key: .credential("vault-key")))
/// ```
///
/// | keychain | who can read | lives until |
/// |---|---|---|
/// | `.apple()` | the user's programs, by the system's rules | it is deleted |
/// | `.secretService()` | the user's programs, while the session is unlocked | it is deleted |
/// | `.kernel()` | the user's or the session's processes | the last logout, or a reboot |
/// | `.vault(_:)` | programs that have the file and the key | it is deleted |
public struct KeychainPlace: Sendable {
  let open: @Sendable () throws -> any SecretPlace

  init(_ open: @escaping @Sendable () throws -> any SecretPlace) { self.open = open }

  /// An encrypted file. Use one `Vault` for all of its secrets: it derives the key from the passphrase once.
  public static func vault(_ vault: Vault) -> KeychainPlace { KeychainPlace { vault } }

  /// An encrypted file. Keep this value and use it for all secrets of the file: it derives the key from the passphrase
  /// once.
  public static func vault(_ path: String, key: VaultKey) -> KeychainPlace {
    .vault(Vault(path: path, key: key))
  }

  #if canImport(Security)
    /// Apple's keychain.
    ///
    /// - Parameters:
    ///   - accessGroup: The group of programs that share the secrets; `nil` for the program's own.
    ///   - accessibility: When secrets can be read, and whether backups transfer them to other devices.
    public static func apple(
      accessGroup: String? = nil, accessibility: AppleAccessibility = .afterFirstUnlockThisDeviceOnly
    ) -> KeychainPlace {
      KeychainPlace { AppleKeychain(accessGroup: accessGroup, accessibility: accessibility) }
    }
  #endif

  #if os(Linux)
    /// The desktop's Secret Service: GNOME Keyring, KWallet or KeePassXC.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection, as in its path on the bus (`login`); `nil` for the user's default.
    ///   - mayPrompt: Whether the user may be asked to unlock the collection. The call then waits for the answer.
    ///     Otherwise a locked collection throws `.locked` at once.
    public static func secretService(collection: String? = nil, mayPrompt: Bool = true) -> KeychainPlace {
      .secretService(collection: collection, mayPrompt: mayPrompt, bus: nil)
    }

    package static func secretService(collection: String?, mayPrompt: Bool, bus: String?) -> KeychainPlace {
      KeychainPlace { SecretServicePlace(collection: collection, mayPrompt: mayPrompt, bus: bus) }
    }

    /// A keyring in the kernel's memory: nothing is written to disk, and secrets end with the last logout or a reboot.
    public static func kernel(_ keyring: KernelKeyring = .user) -> KeychainPlace {
      KeychainPlace { KernelKeys(keyring: keyring) }
    }
  #endif
}
