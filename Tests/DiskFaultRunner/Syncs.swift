import CFaults
import Foundation
import StrataDisk

/// Checks which files a store syncs, and when.
struct Syncs {
  private var violations: [String] = []
  private let folder: URL

  init(in folder: URL) { self.folder = folder }

  private func store(_ durability: DiskDurability, _ layout: DiskLayout) throws -> DiskStorage<String> {
    try DiskStorage(
      config: DiskConfig(
        name: "\(layout) \(durability)", directory: folder, layout: layout, durability: durability))
  }

  /// Returns the violations.
  mutating func run() throws -> [String] {
    Folder(folder).remove()
    for layout in [DiskLayout.automatic, .packed, .files] {
      try everyWriteIsStable(layout)
      try nothingIsSynced(layout)
    }
    try syncsAreShared()
    try nothingIsForgottenTooEarly()
    try aCopyIsStable()
    Folder(folder).remove()
    return violations
  }

  /// With `.power`, all written bytes are synced when a call returns.
  private mutating func everyWriteIsStable(_ layout: DiskLayout) throws {
    let store = try store(.power, layout)
    let calls: [(String, () throws -> Void)] = [
      ("a value", { try store.setObject(Data(count: 100), forKey: "small", expiry: nil) }),
      ("a large value", { try store.setObject(Data(count: 100_000), forKey: "large", expiry: nil) }),
      ("a batch", { try store.setObjects(["a": Data(count: 10), "b": Data(count: 90_000)], expiry: nil) }),
      (
        "a large value in place of another",
        { try store.setObject(Data(count: 80_000), forKey: "large", expiry: nil) }
      ),
      ("a removal", { try store.removeObject(forKey: "small") }),
      ("a removal of many", { try store.removeObjects(forKeys: ["a", "b"]) }),
      ("a removal of all", { try store.removeAll() }),
    ]
    for (name, call) in calls {
      faults_count_syncs(0)
      try call()
      let record = faults_shared().pointee
      if record.unsynced != 0 {
        violations.append("\(layout): after \(name), \(record.unsynced) files are not stable")
      }
      if record.syncs == 0 { violations.append("\(layout): \(name) was not made stable") }
    }
  }

  /// With `.process`, no call waits for the disk.
  private mutating func nothingIsSynced(_ layout: DiskLayout) throws {
    let store = try store(.process, layout)
    faults_count_syncs(0)
    try store.setObjects(["a": Data(count: 10), "b": Data(count: 90_000)], expiry: nil)
    try store.removeAll()
    if faults_shared().pointee.syncs != 0 { violations.append("\(layout): .process waits for the disk") }
  }

  /// The file of a value without a record is deleted only once the records that replaced it are stable, also with
  /// `.process`.
  private mutating func nothingIsForgottenTooEarly() throws {
    Folder(folder).remove()
    let store = try store(.process, .automatic)
    try store.setObject(Data(count: 90_000), forKey: "a", expiry: nil)
    try Strike.killed.hit(URL(fileURLWithPath: store.path)) { _ in Data() }
    faults_count_syncs(0)
    try store.setObject(Data(count: 10), forKey: "b", expiry: nil)
    let left = Folder(URL(fileURLWithPath: store.path)).names("Values")
    if left.count != 1 { violations.append("in Values there are \(left)") }
    if faults_shared().pointee.syncs == 0 {
      violations.append("a value was deleted before the log was stable")
    }
  }

  /// A process that rebuilds the control file copies the last segment. It must sync the copy, since the original may
  /// have been synced.
  private mutating func aCopyIsStable() throws {
    Folder(folder).remove()
    let power = try store(.power, .automatic)
    try power.setObject(Data(count: 100), forKey: "a", expiry: nil)
    let place = URL(fileURLWithPath: power.path)
    try FileManager.default.removeItem(at: place.appending(path: "control"))
    faults_count_syncs(0)
    let other = try DiskStorage<String>(
      config: DiskConfig(
        name: place.lastPathComponent, directory: folder, layout: .automatic, durability: .process))
    if try other.entryIfPresent(forKey: "a") == nil { violations.append("the copy lacks a value") }
    // One sync is for the copy, and one for its name.
    if faults_shared().pointee.syncs < 2 { violations.append("the copy of a segment is not stable") }
  }

  /// Threads that write at the same time share syncs.
  private mutating func syncsAreShared() throws {
    let store = try store(.power, .automatic)
    try store.setObject(Data(), forKey: "first", expiry: nil)
    // Each sync takes 20 ms: on a busy machine too, all threads append meanwhile.
    faults_count_syncs(20_000)
    let (threads, writes) = (8, 20)
    let failures = Reports()
    let group = DispatchGroup()
    for thread in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          for i in 0..<writes { try store.setObject(Data(count: 50), forKey: "\(thread) \(i)", expiry: nil) }
        } catch { failures.add((error as? StorageError) ?? .backendFailed) }
      }
    }
    group.wait()
    let syncs = faults_shared().pointee.syncs
    for failure in failures.take() { violations.append("\(failure)") }
    if syncs > threads * writes / 2 { violations.append("\(threads * writes) writes needed \(syncs) syncs") }
    if faults_shared().pointee.unsynced != 0 { violations.append("the last writes are not stable") }
  }
}
