import Foundation
import StrataKeychain

/// A session as a program has it with a vault: a secret comes from a descriptor, is saved and read back. Then the
/// process dies, and leaves all its memory in a file.
///
/// Standard input has 64 bytes: half a secret, and half that is saved as any other bytes, which must be found in the
/// memory or nobody has looked. Beside the vault, `key` has its key, and `ring` that of the secret. Whoever starts it
/// says how large the dump may be.
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
  // The vault's own key is made anew of the one in the file; neither may be left behind.
  try vault.changeKey(to: .keyFile(folder + "/key"))
  say("\(again) \(String(reflecting: again)) \(vault) \(accounts)")
  for any in [again, vault, accounts] as [Any] { dump(any) }
  // What waits to be printed would be lost.
  fflush(nil)
  guard chdir(folder) == 0 else { throw POSIXError(.EPERM) }
  withExtendedLifetime((secret, control, again, vault)) { abort() }
}
