import CRocksDB
import Foundation
import StrataCore
import Testing

@testable import StrataRocksDB

/// Several stores, and other programs, in one database.
struct RocksDBFamilyTests {
  let folder = TestFolder()

  @Test func familiesAreMadeWhileTheDatabaseIsOpenAndFoundAgain() throws {
    func check(_ body: (RocksDBStorage<String>, RocksDBStorage<Int>) throws -> Void) throws {
      try body(folder.open { $0.family = "texts" }, folder.open(Int.self) { $0.family = "numbers" })
    }
    try check { texts, numbers in
      try texts.setObject(text("t"), forKey: "1", expiry: nil)
      try numbers.setObject(text("n"), forKey: 1, expiry: nil)
    }
    try check { texts, numbers in
      #expect(try texts.object(forKey: "1") == text("t"))
      #expect(try numbers.object(forKey: 1) == text("n"))
      try texts.removeAll()
      #expect(try texts.keys() == [])
      #expect(try numbers.keys() == [1])
    }
    #expect(try PlainDatabase(folder.path).families.keys.sorted() == ["default", "numbers", "texts"])
  }

  @Test func storesOverOneFamilySeeEachOther() throws {
    let texts = try folder.open()
    let numbers = try folder.open(Int.self)
    try texts.setObject(text("1"), forKey: "12", expiry: nil)
    try texts.setObject(text("1"), forKey: "twelve", expiry: nil)
    #expect(try numbers.object(forKey: 12) == text("1"))
    #expect(try numbers.keys() == [12])
    #expect(try texts.keys() == ["12", "twelve"])
  }

  @Test func aNoncanonicalKeyIsLeftUnchanged() throws {
    struct Small: StorageKey {
      let storageKey: String
      init?(storageKey: String) { self.storageKey = storageKey.lowercased() }
    }
    try folder.open().setObjects(["a": text("1"), "B": text("2")], expiry: nil)
    #expect(try folder.open(Small.self).keys().map(\.storageKey) == ["a"])
  }

  @Test func differentPathsOfAFolderShareADatabase() throws {
    let link = folder.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    let one = try folder.open()
    let other: RocksDBStorage<String> = try folder.open { $0.path = link.path + "/./db/" }
    #expect(one.path == other.path)
    try one.setObject(text("v"), forKey: "k", expiry: nil)
    #expect(try other.object(forKey: "k") == text("v"))
  }

  @Test func missingFoldersAreMadeForTheUserAlone() throws {
    let store = try folder.open { $0.path += "/a b/ü/%41" }
    #expect(store.path.hasSuffix("/db/a b/ü/%41"))
    for path in [folder.path, store.path] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o700)
    }
  }

  @Test func familiesOfOtherProgramsAreLeftUnchanged() throws {
    let counter = withUnsafeBytes(of: UInt64(20).littleEndian) { Array($0) }
    do {
      // The operator that the family was created with sums numbers when they are read or compacted.
      let plain = try PlainDatabase(folder.path) {
        rocksdb_options_set_uint64add_merge_operator($0)
        rocksdb_options_set_compression($0, Int32(rocksdb_zlib_compression))
      }
      try plain.make("sums")
      try plain.put("=n", counter, in: "sums")
      try plain.put("x", [9], in: "sums")
      try plain.flush("sums")
      let write = rocksdb_writeoptions_create()
      defer { rocksdb_writeoptions_destroy(write) }
      try counter.withUnsafeBytes { add in
        try calling {
          rocksdb_merge_cf(plain.handle, write, plain.families["sums"], "=n", 2, add.characters, 8, $0)
        }
      }
    }
    do {
      let store = try folder.open()
      try store.setObject(text("v"), forKey: "k", expiry: .seconds(-1))
      try store.removeExpiredObjects()
      try store.removeAll()
    }
    let plain = try PlainDatabase(folder.path) { rocksdb_options_set_uint64add_merge_operator($0) }
    #expect(plain.families.keys.sorted() == ["default", "entries", "sums"])
    #expect(plain.keys("sums") == ["=n", "x"])
    #expect(plain.records("sums").first?.record == withUnsafeBytes(of: UInt64(40).littleEndian) { Array($0) })
  }

  @Test(arguments: [0, 10_000] as [UInt])
  func recordsOfOtherProgramsInTheFamilyAreLeftAlone(maxSize: UInt) throws {
    let foreign = ["<", "=a", "=b", "=c", ">", ">\u{0}\u{0}", ">\0\0\0\0k", "?", "x"]
    do {
      let plain = try PlainDatabase(folder.path)
      try plain.make("entries")
      for key in foreign {
        try plain.put(key, key == "=b" ? [1, 2, 3] : key == "=c" ? [] : [7], in: "entries")
      }
      try plain.flush("entries")
    }
    do {
      let store = try folder.open { $0.maxSize = maxSize }
      try store.setObject(text("v"), forKey: "k", expiry: .seconds(-1))
      for key in ["a", "b", "c"] {
        let error = failure { try store.entryIfPresent(forKey: key) }
        #expect(error == .malformedFileAttributes)
        #expect(error?.key as? String == key)
        #expect(failure { try store.entries(forKeys: ["k", key]) } == .malformedFileAttributes)
      }
      #expect(try store.keys() == [])
      try store.removeExpiredObjects()
      try store.setObject(text("v"), forKey: "d", expiry: nil)
      #expect(try store.keys() == ["d"])
    }
    let left = try PlainDatabase(folder.path).keys("entries")
    #expect(left == (foreign + ["=d"]).sorted())
    try folder.open().removeAll()
    #expect(try PlainDatabase(folder.path).keys("entries") == ["<", "?", "x"])
  }
}
