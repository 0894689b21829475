#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

struct DiskStorageTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: [0, 1, 14, 15, 3990, 4000, 4031, 4032, 4033, 4096, 1_000_000])
  func valuesOfAnySizeComeBack(_ count: Int) throws {
    let value = bytes(count)
    try folder.open().setObject(value, forKey: "k", expiry: nil)
    let read = try folder.open().entry(forKey: "k")
    #expect(read.object == value)
    #expect(read.object.startIndex == 0)
    #expect(read.expiry == .never)
    #expect(read.filePath == folder.file(of: "k").path)
  }

  @Test func aSliceIsStoredAsWhatItShows() throws {
    try folder.open().setObject(bytes(100)[10..<20], forKey: "k", expiry: nil)
    #expect(try folder.open().object(forKey: "k") == Data(bytes(100)[10..<20]))
  }

  @Test func absentIsNoError() throws {
    let disk = try folder.open()
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
    #expect(try disk.expiryIfPresent(forKey: "k") == nil)
    try disk.removeObject(forKey: "k")
    #expect(try disk.keys() == [])
    #expect(disk.totalSize == 0)
    #expect(failure { try disk.object(forKey: "k") } == .notFound)
  }

  @Test func aWriteReplacesAndARemovalRemoves() throws {
    let disk = try folder.open()
    try disk.setObject(text("long value"), forKey: "k", expiry: nil)
    try disk.setObject(text("short"), forKey: "k", expiry: nil)
    #expect(try disk.object(forKey: "k") == text("short"))
    #expect(try folder.names() == [EntryName.of(Array("k".utf8))])
    try disk.removeObject(forKey: "k")
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
    #expect(try folder.names() == [])
  }

  static let hostileKeys = [
    "", " ", ".", "..", "/", "../../etc/passwd", "/etc/passwd", "a/b/c", "a\\b", "nul\0in the middle", "\0",
    "\n\r",
    "%2e%2e%2f", "~", "-rf", "con", "con.txt", "\u{FEFF}", "\u{202E}gnp", "🏳️‍🌈", "e\u{301}",
    "Ångström", String(repeating: "k", count: 300), String(repeating: "🧑🏽‍🚀", count: 100_000 / 15),
    String(repeating: "a\u{301}\0/", count: 5000), EntryName.temporary(), "Damaged",
    EntryName.of(Array("k".utf8)),
  ]

  @Test(arguments: hostileKeys)
  func anyKeyWillDo(_ key: String) throws {
    try folder.open().setObject(text("other"), forKey: key + "x", expiry: nil)
    try folder.open().setObject(text("value"), forKey: key, expiry: nil)
    let disk = try folder.open()
    #expect(try disk.object(forKey: key) == text("value"))
    #expect(try disk.object(forKey: key + "x") == text("other"))
    #expect(Set(try disk.keys()) == [key, key + "x"])
    #expect(try folder.names().allSatisfy(EntryName.isEntry))
    try disk.removeObject(forKey: key)
    #expect(try folder.open().keys() == [key + "x"])
  }

  @Test func equalStringsAreOneKey() throws {
    let composed = "caf\u{E9} \u{212B}"
    let decomposed = "cafe\u{301} A\u{30A}"
    let disk = try folder.open()
    try disk.setObject(text("1"), forKey: composed, expiry: nil)
    try disk.setObject(text("2"), forKey: decomposed, expiry: nil)
    #expect(try disk.object(forKey: composed) == text("2"))
    #expect(try folder.open().keys() == [decomposed])
    #expect(try folder.names().count == 1)
  }

  @Test func keysSurviveARestart() throws {
    let first = try folder.open()
    for i in 0..<100 { try first.setObject(text("\(i)"), forKey: "\(i)", expiry: nil) }
    try first.removeObject(forKey: "17")
    let second = try folder.open()
    #expect(Set(try second.keys()) == Set((0..<100).map(String.init)).subtracting(["17"]))
    #expect(second.totalSize == first.totalSize)
    #expect(try second.totalSize == folder.entryBytes())
    #expect(folder.damage.all == [])
  }

  @Test func keysFollowEveryChange() throws {
    let disk = try folder.open()
    #expect(try disk.keys() == [])
    try disk.setObject(text("1"), forKey: "a", expiry: nil)
    try disk.setObject(text("1"), forKey: "b", expiry: nil)
    #expect(try Set(disk.keys()) == ["a", "b"])
    try disk.removeObject(forKey: "a")
    #expect(try disk.keys() == ["b"])
    #expect(try disk.totalSize == folder.entryBytes())
    try disk.removeAll()
    #expect(try disk.keys() == [])
    #expect(disk.totalSize == 0)
  }

  @Test func keysOfAnotherTypeAreLeftAlone() throws {
    let texts = try folder.open(String.self)
    try texts.setObject(text("1"), forKey: "no number", expiry: .seconds(0))
    try texts.setObject(text("2"), forKey: "007", expiry: .seconds(0))
    let numbers = try folder.open(Int.self)
    try numbers.setObject(text("3"), forKey: 7, expiry: nil)
    #expect(try numbers.keys() == [7])
    try numbers.removeExpiredObjects()
    #expect(try folder.names().count == 3)
    #expect(try texts.entryIfPresent(forKey: "007")?.object == text("2"))
    #expect(folder.damage.all == [])
  }

  /// A key type that accepts more texts than it writes.
  private struct Lowercased: StorageKey {
    let storageKey: String
    init(storageKey: String) { self.storageKey = storageKey.lowercased() }
  }

  @Test func aTextThatAKeyWouldNotWriteBelongsToAnotherType() throws {
    try folder.open().setObjects(["A": text("1"), "b": text("2")], expiry: nil)
    let disk = try folder.open(Lowercased.self)
    #expect(try disk.keys() == [Lowercased(storageKey: "b")])
    #expect(try disk.entries(forKeys: disk.keys()).count == 1)
  }

  @Test func removeAllLeavesForeignFiles() throws {
    let disk = try folder.open()
    try disk.setObject(text("1"), forKey: "a", expiry: nil)
    try text("no entry").write(to: folder.file(of: "b"))
    let foreign = ["notes.txt", "0123.strata", String(EntryName.of([]).uppercased()), "x.tmp"]
    for name in foreign { try text("mine").write(to: folder.store.appending(path: name)) }
    #expect(failure { try disk.entryIfPresent(forKey: "b") } == .malformedFileAttributes)
    try disk.removeAll()
    #expect(try folder.names() == (foreign + ["Damaged"]).sorted())
    #expect(try folder.damagedNames().count == 1)
    #expect(try folder.open().keys() == [])
  }

  @Test func removeAllNeedsNoIndexAndAlsoRemovesWhatOthersWrote() throws {
    let disk = try folder.open()
    try disk.setObject(text("1"), forKey: "a", expiry: nil)
    #expect(try disk.keys() == ["a"])
    try folder.open().setObject(text("2"), forKey: "b", expiry: nil)
    try disk.removeAll()
    #expect(try disk.entryIfPresent(forKey: "b") == nil)
    #expect(try folder.names() == [])
  }

  @Test func batches() throws {
    let disk = try folder.open()
    try disk.setObjects(["a": text("1"), "b": text("2")], expiry: nil)
    #expect(
      try disk.entries(forKeys: ["a", "b", "c"]).mapValues(\.object) == ["a": text("1"), "b": text("2")])
    try disk.removeObjects(forKeys: ["a", "c"])
    #expect(try disk.keys() == ["b"])
  }

  /// Compares thousands of random operations, some of them restarts, with a dictionary.
  @Test(arguments: [1, 2, 3])
  func agreesWithASimpleModel(_ seed: UInt64) throws {
    var random = Seeded(state: seed)
    let time = ManualClock()
    var disk = try folder.open(Int.self, clock: time.clock)
    var model: [Int: Entry<Data>] = [:]
    for _ in 0..<2000 {
      let key = Int.random(in: 0..<20, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0...7:
        let value = bytes(Int.random(in: 0..<6000, using: &random), seed: key)
        let seconds = Double.random(in: -1...50, using: &random)
        let expiry: Expiry = Bool.random(using: &random) ? .never : .seconds(seconds)
        try disk.setObject(value, forKey: key, expiry: expiry)
        model[key] = Entry(object: value, expiry: expiry.resolved(by: time.clock))
      case 8...12:
        let read = try disk.entryIfPresent(forKey: key)
        #expect(read?.object == model[key]?.object && read?.expiry == model[key]?.expiry)
      case 13:
        try disk.removeObject(forKey: key)
        model[key] = nil
      case 14:
        try disk.removeExpiredObjects()
        model = model.filter { !$0.value.expiry.isExpired(by: time.clock) }
      case 15: time.advance(by: Double.random(in: 0...5, using: &random))
      case 16: disk = try folder.open(Int.self, clock: time.clock)
      case 17 where key == 0:
        try disk.removeAll()
        model = [:]
      default:
        #expect(Set(try disk.keys()) == Set(model.filter { !$0.value.expiry.isExpired(by: time.clock) }.keys))
        #expect(
          disk.totalSize == model.reduce(0) { $0 + 64 + "\($1.key)".utf8.count + $1.value.object.count })
      }
    }
    #expect(folder.damage.all == [])
  }

  @Test func itsPlaceInAChain() throws {
    let disk = try folder.open()
    #expect(disk.storageName == "DiskStorage")
    #expect(disk.wrappedStorages.isEmpty)
    #expect(disk.mayBlock)
    #expect(disk.path == folder.store.path)
    #expect(disk.coordinator === disk.coordinator)
    try disk.transform(to: [Int].self).setObject([1, 2], forKey: "numbers")
    #expect(try disk.object(forKey: "numbers") == text("[1,2]"))
  }
}
