import StrataCore

/// Which keychain keeps the secrets. There is no falling back from one to another: a place that cannot be used is an
/// error.
///
/// | place | who can read | lives until |
/// |---|---|---|
/// | `.apple()` | the user's programs, by the system's rules | it is deleted |
/// | `.secretService()` | the user's programs, while the session is unlocked | it is deleted |
/// | `.kernel()` | the user's processes, or those of the session | the last logout, or the boot |
/// | `.vault(_:)` | who has the file and the key | it is deleted |
public struct KeychainPlace: Sendable {
  let open: @Sendable () throws -> any SecretPlace

  init(_ open: @escaping @Sendable () throws -> any SecretPlace) { self.open = open }

  /// An encrypted file. Use one `Vault` for all that is kept in it: the key is made of the passphrase once.
  public static func vault(_ vault: Vault) -> KeychainPlace { KeychainPlace { vault } }

  /// An encrypted file. Keep the place and use it for all that is kept there: the key is made of the passphrase once.
  public static func vault(_ path: String, key: VaultKey) -> KeychainPlace {
    .vault(Vault(path: path, key: key))
  }

  #if canImport(Security)
    /// Apple's keychain.
    ///
    /// - Parameters:
    ///   - accessGroup: the group of programs that share the secrets; `nil` for the program's own.
    ///   - accessibility: when secrets can be read, and whether they go to other devices.
    public static func apple(
      accessGroup: String? = nil, accessibility: AppleAccessibility = .afterFirstUnlockThisDeviceOnly
    ) -> KeychainPlace {
      KeychainPlace { AppleKeychain(accessGroup: accessGroup, accessibility: accessibility) }
    }
  #endif

  #if os(Linux)
    /// The Secret Service of the desktop: GNOME Keyring, KWallet, KeePassXC.
    ///
    /// - Parameters:
    ///   - collection: the name of the collection, as in its path on the bus (`login`); `nil` for the user's default.
    ///   - mayPrompt: whether the user may be asked to unlock it. The call waits for the answer. If not, what is locked
    ///     throws `.locked` at once.
    public static func secretService(collection: String? = nil, mayPrompt: Bool = true) -> KeychainPlace {
      .secretService(collection: collection, mayPrompt: mayPrompt, bus: nil)
    }

    package static func secretService(collection: String?, mayPrompt: Bool, bus: String?) -> KeychainPlace {
      KeychainPlace { SecretServicePlace(collection: collection, mayPrompt: mayPrompt, bus: bus) }
    }

    /// The kernel's memory: nothing is written to a disk, and nothing outlives the last logout or the boot.
    public static func kernel(_ keyring: KernelKeyring = .user) -> KeychainPlace {
      KeychainPlace { KernelKeys(keyring: keyring) }
    }
  #endif
}
