import StrataKeychain

/// Opens a service in a vault, which is an encrypted file of secrets.
enum VaultBackend: StoreBackend {
  static let schemes = ["vault"]
  static let forms = [("vault:FILE?service=NAME", "a service in an encrypted vault")]

  static func open(_ url: StoreURL, _ request: OpenRequest) throws -> OpenStore {
    try url.expect(["service"])
    let service = try url.required("service", "the service that the secrets belong to")
    try request.expect(Paths.isFile(url.path), "vault", at: url.path)
    let path = Paths.absolute(url.path)
    let key = try request.secrets.vaultKey(for: url.path)
    let timeout = request.timeout.map { Duration.seconds($0) } ?? .seconds(30)
    let vault = Vault(path: path, key: key, lockTimeout: timeout)
    return OpenStore(
      url: url, kind: "vault", storage: KeychainAccounts<String>(service: service, in: .vault(vault)),
      path: path,
      facts: { [.init(name: "service", value: .text(service))] },
      alternative: "not needed: every write of a vault makes a new file without gaps")
  }
}
