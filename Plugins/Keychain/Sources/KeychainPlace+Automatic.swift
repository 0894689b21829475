import StrataDelegate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeychainPlace {
  /// The default keychain of the environment that the program runs in:
  ///
  /// 1. on Apple platforms, `.apple()`;
  /// 2. on Linux, if the service manager provides a credential named `strata.vault`: the vault `keychain.vault` in the
  ///    service's state folder (`$STATE_DIRECTORY`), with that credential as its key;
  /// 3. otherwise on Linux, `.secretService()`.
  ///
  /// The choice depends only on how the program was started, never on which keychain responds. If the Secret Service
  /// cannot be reached, that is an error, and no secret is stored elsewhere. The kernel's keyring is never chosen,
  /// since its secrets are lost at a reboot.
  public static let automatic = KeychainPlace {
    #if canImport(Security)
      return try KeychainPlace.apple().open()
    #else
      return try fromEnvironment(ProcessInfo.processInfo.environment)
    #endif
  }

  /// The name of the credential that selects a vault.
  static let credential = "strata.vault"

  #if os(Linux)
    static func fromEnvironment(_ environment: [String: String]) throws -> any SecretPlace {
      guard let folder = environment["CREDENTIALS_DIRECTORY"],
        FileIdentity(path: "\(folder)/\(credential)") != nil
      else { return try KeychainPlace.secretService().open() }
      // The service manager separates several folders by colons.
      guard let state = environment["STATE_DIRECTORY"]?.split(separator: ":").first else {
        throw StorageError.invalidConfiguration.with(
          "the service has a credential \(credential), but no folder for the vault: give it a "
            + "`StateDirectory=`, or choose a place", place: "\(folder)/\(credential)")
      }
      return ServiceVaults.vault(at: "\(state)/keychain.vault", folder: folder)
    }
  #endif
}

#if os(Linux)
  /// The vaults of `.automatic`, one per path and credential, so that all keychains of the program share its cache.
  private enum ServiceVaults {
    private static let open = Locked<[String: Vault]>([:])

    static func vault(at path: String, folder: String) -> Vault {
      open.withLock { open in
        let identity = "\(folder)\n\(path)"
        let vault =
          open[identity]
          ?? Vault(path: path, key: .credential(KeychainPlace.credential, in: folder))
        open[identity] = vault
        return vault
      }
    }
  }
#endif
