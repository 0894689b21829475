import Foundation
import StrataKeychain

/// A typical session with a vault: a secret is read from a descriptor, saved and read back. Then the process aborts and
/// leaves a core dump.
///
/// Standard input has 64 bytes: 32 are the secret. The other 32 are saved as ordinary bytes: the test must find them in
/// the dump, which proves that its search works. Beside the vault, the file `key` contains the vault's key, and `ring`
/// the key of the secret. The caller sets the maximum size of the dump.
func session(_ path: String) throws {
  let secret = try Secret<Data>(count: 32) { bytes in
    guard read(0, bytes.baseAddress, 32) == 32 else { throw POSIXError(.EIO) }
  }
  var control = Data(count: 32)
  guard control.withUnsafeMutableBytes({ read(0, $0.baseAddress, 32) }) == 32 else { throw POSIXError(.EIO) }

  let folder = URL(filePath: path).deletingLastPathComponent().path
  let vault = Vault(path: path, key: .keyFile(folder + "/key"))
  let accounts = KeychainAccounts<String>(service: "session", in: .vault(vault))
  let ring = KeyRing(try SecretKey(file: folder + "/ring"))
  let secrets = accounts.transform(to: .secret(Data.self, with: ring, for: "session"))
  try secrets.setObject(secret, forKey: "token")
  let again = try secrets.object(forKey: "token")
  let isSame = secret.withBytes { given in again.withBytes { read in given.elementsEqual(read) } }
  guard isSame else { throw POSIXError(.EILSEQ) }
  try accounts.setObject(control, forKey: "control", expiry: nil)
  // The vault derives its keys from the file again. Neither the old nor the new keys may be left in memory.
  try vault.changeKey(to: .keyFile(folder + "/key"))
  say("\(again) \(String(reflecting: again)) \(vault) \(accounts)")
  for any in [again, vault, accounts] as [Any] { dump(any) }
  // `abort` would discard buffered output.
  fflush(nil)
  guard chdir(folder) == 0 else { throw POSIXError(.EPERM) }
  withExtendedLifetime((secret, control, again, vault)) { abort() }
}
