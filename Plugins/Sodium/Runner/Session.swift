import Foundation
import Strata
import StrataSQLite
import StrataSodium

/// A typical session with a secret: it is read from a descriptor, saved to two chains and read back. Then the process
/// aborts and leaves a core dump.
///
/// Standard input has 64 bytes: 32 are the secret. The other 32 are treated as ordinary bytes: the test must find them
/// in the dump, which proves that its search works.
func session(in folder: String) throws {
  let secret = try Secret<Data>(count: 32) { bytes in
    guard read(0, bytes.baseAddress, 32) == 32 else { fail("the secret is missing") }
  }
  var control = Data(count: 32)
  let count = control.withUnsafeMutableBytes { read(0, $0.baseAddress, 32) }
  guard count == 32 else { fail("the control is missing") }

  let ring = KeyRing(try SecretKey(file: folder + "/key"))
  let files = try DiskStorage<String>(
    config: DiskConfig(name: "store", directory: URL(filePath: folder + "/files")))
  let table = try SQLiteStorage<String>(config: SQLiteConfig(path: folder + "/files/store.db"))
  let chains = [
    Storage(front: MemoryStorage(), back: files, transformer: .secret(Data.self, with: ring, for: "session")),
    Storage(front: MemoryStorage(), back: table, transformer: .secret(Data.self, with: ring, for: "session")),
  ]
  for chain in chains {
    try chain.setObject(secret, forKey: "token")
    try chain.removeInMemoryObject(forKey: "token")
    let again = try chain.object(forKey: "token")
    let isSame = secret.withBytes { given in again.withBytes { read in given.elementsEqual(read) } }
    guard isSame else { fail("the secret that was read is not the secret that was stored") }
    print("\(again) \(String(reflecting: again)) \(chain)")
    dump(again)
  }

  // A value encrypted as ordinary `Data` stays in ordinary memory. Only locked memory is wiped.
  let plain = try DiskStorage<String>(
    config: DiskConfig(name: "controls", directory: URL(filePath: folder + "/files"))
  ).encrypted(with: ring)
  try plain.setObject(control, forKey: "control")
  ring.rotate(adding: try SecretKey())
  try plain.reencrypt()

  // `abort` would discard buffered output.
  fflush(nil)
  guard chdir(folder) == 0 else { fail("there is no folder \(folder)") }
  guard Limit.dump.set(to: .max) else { fail("the process may not leave a core dump") }
  withExtendedLifetime((secret, control, chains)) { abort() }
}
