#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

/// Tests that apply to any store, for the layouts with a log.
struct LogStoreTests {
  static let layouts: [DiskLayout] = [.automatic, .packed]

  @Test(
    arguments: layouts,
    [0, 1, 14, 15, 3990, 4000, 4031, 4032, 4033, 4096, 65_535, 65_536, 1_000_000, 3_000_000])
  func valuesOfAnySizeComeBack(_ layout: DiskLayout, _ count: Int) throws {
    let folder = try TestFolder(layout)
    let value = bytes(count)
    let first = try folder.open()
    try first.setObject(value, forKey: "k", expiry: nil)
    for disk in [first, try folder.open()] {
      let read = try disk.entry(forKey: "k")
      #expect(read.object == value)
      #expect(read.object.startIndex == 0)
      #expect(read.expiry == .never)
      #expect((read.filePath != nil) == (layout == .automatic && count >= 65_536))
      if let path = read.filePath { #expect(FileManager.default.fileExists(atPath: path)) }
      #expect(try disk.keys() == ["k"])
      #expect(try disk.totalSize == folder.logBytes())
    }
    try first.removeObject(forKey: "k")
    #expect(try first.entryIfPresent(forKey: "k") == nil)
    #expect(try folder.open().entryIfPresent(forKey: "k") == nil)
    #expect(try folder.names("Values").isEmpty)
    #expect(folder.damage.all == [])
  }

  @Test(arguments: layouts)
  func absentIsNoError(_ layout: DiskLayout) throws {
    let disk = try TestFolder(layout).open()
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
    #expect(try disk.expiryIfPresent(forKey: "k") == nil)
    try disk.removeObject(forKey: "k")
    try disk.removeAll()
    #expect(try disk.keys() == [])
    #expect(disk.totalSize == 0)
  }

  @Test(arguments: DiskStorageTests.hostileKeys)
  func anyKeyWillDo(_ key: String) throws {
    let folder = try TestFolder(.automatic)
    try folder.open().setObject(text("other"), forKey: key + "x", expiry: nil)
    try folder.open().setObject(text("value"), forKey: key, expiry: nil)
    let disk = try folder.open()
    #expect(try disk.object(forKey: key) == text("value"))
    #expect(try disk.object(forKey: key + "x") == text("other"))
    #expect(Set(try disk.keys()) == [key, key + "x"])
    try disk.removeObject(forKey: key)
    #expect(try folder.open().keys() == [key + "x"])
  }

  /// Compares thousands of random operations, with restarts and a second store, with a dictionary.
  @Test(arguments: zip(layouts + layouts, [1, 2, 3, 4]))
  func agreesWithASimpleModel(_ layout: DiskLayout, _ seed: UInt64) throws {
    let folder = try TestFolder(layout)
    var random = Seeded(state: seed)
    let time = ManualClock()
    var stores = try [folder.open(Int.self, clock: time.clock), folder.open(Int.self, clock: time.clock)]
    var model: [Int: Entry<Data>] = [:]
    for _ in 0..<1500 {
      let key = Int.random(in: 0..<40, using: &random)
      let which = Int.random(in: 0..<2, using: &random)
      let disk = stores[which]
      func newValue() -> Data {
        let isLarge = Int.random(in: 0..<20, using: &random) == 0
        return bytes(Int.random(in: 0..<(isLarge ? 100_000 : 6000), using: &random), seed: key)
      }
      switch Int.random(in: 0..<22, using: &random) {
      case 0...7:
        let value = newValue()
        let seconds = Double.random(in: -1...50, using: &random)
        let expiry: Expiry = Bool.random(using: &random) ? .never : .seconds(seconds)
        try disk.setObject(value, forKey: key, expiry: expiry)
        model[key] = Entry(object: value, expiry: expiry.resolved(by: time.clock))
      case 8...12:
        let read = try disk.entryIfPresent(forKey: key)
        #expect(read?.object == model[key]?.object && read?.expiry == model[key]?.expiry)
        #expect(try disk.expiryIfPresent(forKey: key) == model[key]?.expiry)
      case 13:
        try disk.removeObject(forKey: key)
        model[key] = nil
      case 14:
        try disk.removeExpiredObjects()
        model = model.filter { !$0.value.expiry.isExpired(by: time.clock) }
      case 15: time.advance(by: Double.random(in: 0...5, using: &random))
      case 16: stores[which] = try folder.open(Int.self, clock: time.clock)
      case 17 where key == 0:
        try disk.removeAll()
        model = [:]
      case 18:
        let batch = [key: newValue(), key + 1: newValue(), key + 2: newValue()]
        try disk.setObjects(batch, expiry: .never)
        for (key, value) in batch { model[key] = Entry(object: value) }
      case 19:
        try disk.removeObjects(forKeys: [key, key + 1])
        model[key] = nil
        model[key + 1] = nil
      default:
        #expect(Set(try disk.keys()) == Set(model.filter { !$0.value.expiry.isExpired(by: time.clock) }.keys))
        #expect(try disk.totalSize == folder.logBytes())
      }
    }
    for disk in stores {
      for key in 0..<43 { #expect(try disk.entryIfPresent(forKey: key)?.object == model[key]?.object) }
    }
    let live = model.values.reduce(0) { $0 + $1.object.count + 128 }
    #expect(try folder.logBytes() < 3 * live + (1 << 20))
    #expect(folder.damage.all == [])
  }
}
