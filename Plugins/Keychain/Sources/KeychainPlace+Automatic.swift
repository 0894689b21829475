import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeychainPlace {
  /// The keychain that belongs to where the program runs:
  ///
  /// 1. on Apple platforms the system's, `.apple()`;
  /// 2. on Linux, where the service manager hands over a credential named `strata.vault`, the vault
  ///    `keychain.vault` in the service's state folder (`$STATE_DIRECTORY`), with that credential as its key;
  /// 3. else on Linux the Secret Service, `.secretService()`.
  ///
  /// What decides is how the program was started, and never what happens to answer: where the Secret Service cannot be
  /// reached, that is the error, and no secret goes elsewhere. The kernel's keyring is never chosen, because secrets in
  /// it end with the boot.
  public static let automatic = KeychainPlace {
    #if canImport(Security)
      return try KeychainPlace.apple().open()
    #else
      return try fromEnvironment(ProcessInfo.processInfo.environment)
    #endif
  }

  /// The name of the credential that makes a vault the keychain of a service.
  static let credential = "strata.vault"

  #if os(Linux)
    static func fromEnvironment(_ environment: [String: String]) throws -> any SecretPlace {
      guard let folder = environment["CREDENTIALS_DIRECTORY"],
        FileIdentity(path: "\(folder)/\(credential)") != nil
      else { return try KeychainPlace.secretService().open() }
      // The service manager separates several folders by colons.
      guard let state = environment["STATE_DIRECTORY"]?.split(separator: ":").first else {
        throw StorageError.invalidConfiguration.with(
          "there is a credential \(credential), but no folder for the vault that it opens: give the service a "
            + "`StateDirectory=`, or choose a place", place: "\(folder)/\(credential)")
      }
      return ServiceVaults.vault(at: "\(state)/keychain.vault", folder: folder)
    }
  #endif
}

#if os(Linux)
  /// The vaults of `.automatic`: one an address, so that all keychains of the program share its cache.
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
