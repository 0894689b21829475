import Foundation
import Strata
import StrataSQLite
import StrataSodium

/// Reencrypts a store whose old and new keys are in the same folder. With a batch number other than 0 it dies of
/// SIGKILL after that batch.
func rotate(_ kind: String, in folder: String, dyingAt batch: Int) throws {
  let ring = KeyRing(
    newest: try SecretKey(file: folder + "/new"), older: [try SecretKey(file: folder + "/old")])
  var batches = 0
  let progress = { (_: Reencryption) in
    batches += 1
    // The signal is sent from another thread, so that it can interrupt the work at any point.
    if batches == batch { Thread.detachNewThread { kill(getpid(), SIGKILL) } }
  }
  switch kind {
  case "disk":
    let disk = try DiskStorage<String>(config: DiskConfig(name: "store", directory: URL(filePath: folder)))
    print(try disk.encrypted(with: ring).reencrypt(progress: progress))
  case "table":
    let table = try SQLiteStorage<String>(config: SQLiteConfig(path: folder + "/store.db"))
    print(try table.encrypted(with: ring).reencrypt(progress: progress))
  default: fail("unknown kind of store: \(kind)")
  }
  if batch > 0 { while true { pause() } }
}
