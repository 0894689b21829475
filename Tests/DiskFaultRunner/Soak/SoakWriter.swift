import CFaults
import Foundation
import Glibc
import StrataCore
import StrataDisk

/// Writes, removes and reads for a number of steps or until it is killed, and records its writes in the ledger.
struct SoakWriter {
  let folder: URL
  let ledger: Ledger
  let journal: Journal
  /// The keys that only this process writes.
  let own: [Int]
  /// Whether other processes may be out of date, since the control file is deleted or moved.
  let isAlone: Bool
  /// Whether all entries may be lost.
  let mayMiss: Bool
  /// Whether the files of unfinished writes may be moved to `Damaged`, since `control` is lost too.
  let mayKeepFiles: Bool
  var random: SoakRandom

  static func open(_ folder: URL, _ reports: Reports, _ random: inout SoakRandom) throws -> DiskStorage<
    String
  > {
    try DiskStorage(
      config: DiskConfig(
        name: "store", directory: folder, layout: random.chance(4) ? .packed : .automatic,
        durability: random.chance(5) ? .power : .process, onDamage: { reports.add($0) }))
  }

  mutating func run(steps: Int) {
    do {
      let reports = Reports()
      let store = try Self.open(folder, reports, &random)
      for _ in 0..<steps { try step(store) }
      for error in reports.take() where !(mayKeepFiles && Reports.isOfKeptFiles(error)) {
        journal.note("a writer reports \(error)")
      }
    } catch { journal.note("a writer cannot go on: \(error)") }
  }

  private mutating func step(_ store: DiskStorage<String>) throws {
    if random.chance(3) { return try look(store) }
    let first = random.below(own.count)
    let count = random.chance(6) ? min(4, own.count) : 1
    let keys = (0..<count).map { own[(first + $0) % own.count] }
    // A batch stores all of its entries or removes all of them.
    let versions = keys.map { ledger.begun($0) + 1 }
    let areRemoved = Ledger.isRemoval(versions[0])
    let chosen = zip(keys, versions).filter { Ledger.isRemoval($0.1) == areRemoved }
    for (key, version) in chosen { ledger.begin(key, version) }
    if areRemoved {
      try store.removeObjects(forKeys: chosen.map { "\($0.0)" })
    } else if chosen.count == 1 {
      try store.setObject(Ledger.value(chosen[0].0, chosen[0].1), forKey: "\(chosen[0].0)", expiry: nil)
    } else {
      try store.setObjects(
        Dictionary(uniqueKeysWithValues: chosen.map { ("\($0.0)", Ledger.value($0.0, $0.1)) }), expiry: nil)
    }
    for (key, version) in chosen { ledger.finish(key, version) }
  }

  private mutating func look(_ store: DiskStorage<String>) throws {
    let key = isAlone ? own[random.below(own.count)] : random.below(Ledger.keys)
    let done = ledger.done(key)
    let value = try store.entryIfPresent(forKey: "\(key)")?.object
    if mayMiss, Ledger.version(value, of: key) != nil { return }
    if let flaw = Ledger.flaw(value, key, from: done, to: ledger.begun(key)) {
      journal.note("a reader: \(flaw)")
    }
  }
}

/// A generator whose numbers depend only on its seed.
struct SoakRandom {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  /// Returns `true` once in this many calls on average.
  mutating func chance(_ of: Int) -> Bool { below(of) == 0 }
}
