import StrataCore
import StrataDisk
import StrataTestKit
import TestSupport
import Testing

/// A configuration of a disk store.
enum DiskSetting: CaseIterable {
  case automatic
  case packed
  case files
  case limited
  case power

  var subject: Subject {
    // With `.files`, each store lists only its own writes, and a batch is written file by file.
    let ofFiles: Set<Contract> = [.atomicBatches, .severalHandles, .severalProcesses]
    return Subject(
      "\(self)", except: self == .files ? ofFiles.union([.sortedKeys]) : [.sortedKeys],
      updatesAcrossProcesses: true, hasAtomicEntries: self != .files
    ) { place in
      try DiskStorage<String>(
        config: DiskConfig(
          name: "entries", expiry: place.expiry, maxSize: self == .limited ? 1 << 30 : 0,
          directory: place.url,
          layout: self == .files ? .files : self == .packed ? .packed : .automatic,
          durability: self == .power ? .power : .process, clock: place.clock))
    } awaited: { store in
      AwaitedCalls(
        expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
        removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
        replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
        entries: { try await store.entries(forKeys: $0) },
        setObjects: { try await store.setObjects($0, expiry: $1) },
        removeObjects: { try await store.removeObjects(forKeys: $0) },
        setEntries: { try await store.setEntries($0) })
    }
  }
}

struct DiskContractTests {
  /// The promises that waiting for the disk could affect. `make soak` checks the others with `.power` too.
  private static let ofWaiting: Set<Contract> = [
    .overwriting, .removing, .removingAll, .expiry, .atomicBatches, .updating, .parallelKeys,
    .linearizability,
    .severalHandles, .severalProcesses, .survivingKill, .fullDisk,
  ]

  /// `.packed` differs from `.automatic` only in the size from which a value is a file, and the limit of `.limited` is
  /// never reached. `make soak` tests them too.
  private static let settings = Soak.isOn ? DiskSetting.allCases : [.automatic, .files, .power]

  /// Most promises with the automatic layout, and a quarter of them, chosen by the seed, with each other setting.
  private static let cases = settings.enumerated().flatMap { number, setting in
    let promises = setting == .automatic ? Contract.brief() : Contract.sampled(oneIn: 4, number: number)
    return promises.map { (setting, $0) }
  }

  /// 100 000 writes that each wait for the disk, or create a file, would take too long in `make test`.
  @Test(arguments: cases)
  func keeps(_ setting: DiskSetting, _ promise: Contract) async throws {
    if setting == .power, promise == .manyKeys || !Soak.isOn && !Self.ofWaiting.contains(promise) { return }
    if setting == .files, promise == .manyKeys, !Soak.isOn { return }
    try await promise.check(setting.subject)
  }
}
