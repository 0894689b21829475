import CLMDB
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("Stores in one folder") struct LMDBSharingTests {
  private let folder = LMDBFolder()

  @Test func databasesAreSeparateAndCanBeOpenedAtAnyTime() throws {
    let texts = try folder.open()
    try texts.setObject(text("1"), forKey: "7")
    let numbers = try folder.open(Int.self) { $0.database = "numbers" }
    let uuids = try folder.open(UUID.self) { $0.database = "entries.uuids" }
    #expect(try numbers.entryIfPresent(forKey: 7) == nil)
    try numbers.setObject(text("2"), forKey: 7, expiry: .seconds(0))
    let id = UUID()
    try uuids.setObject(text("3"), forKey: id)
    try texts.removeAll()
    #expect(try texts.keys() == [])
    #expect(try uuids.object(forKey: id) == text("3"))
    try uuids.removeExpiredObjects()
    #expect(try numbers.entryIfPresent(forKey: 7)?.object == text("2"))
    try numbers.removeExpiredObjects()
    #expect(try numbers.entryIfPresent(forKey: 7) == nil)
  }

  @Test func keysOfAnotherTypeAreNotListed() throws {
    let texts = try folder.open()
    try texts.setObjects(["no number": text("1"), "007": text("2"), "8": text("3")], expiry: nil)
    let numbers = try folder.open(Int.self)
    #expect(try numbers.keys() == [8])
    #expect(try numbers.object(forKey: 8) == text("3"))
    try numbers.removeObject(forKey: 7)
    #expect(try Set(texts.keys()) == ["no number", "007", "8"])
  }

  @Test func differentPathsOfAFolderShareAnEnvironment() throws {
    let store = try folder.open()
    let link = folder.url.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    for path in [link, store.path + "/", store.path + "/../store", folder.url.path + "/./store"] {
      let other = try folder.open { $0.path = path }
      #expect(other.engine.environment === store.engine.environment, "\(path)")
      try other.setObject(text(path), forKey: "key")
      #expect(try store.object(forKey: "key") == text(path))
    }
  }

  @Test func aFolderThatWasReplacedIsAnotherEnvironment() throws {
    let old = try folder.open()
    try old.setObject(text("old"), forKey: "key")
    try FileManager.default.removeItem(atPath: old.path)
    let new = try folder.open()
    #expect(try new.entryIfPresent(forKey: "key") == nil)
    try new.setObject(text("new"), forKey: "key")
    #expect(try old.object(forKey: "key") == text("old"))
  }

  @Test func aPathIsMadeAbsolute() throws {
    let path = "strata-lmdb-\(UUID().uuidString)"
    let current = FileManager.default.currentDirectoryPath
    let store = try folder.open { $0.path = path }
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: store.path) } }
    #expect(store.path == current + "/" + path)
    #expect(FileManager.default.fileExists(atPath: store.path + "/data.mdb"))
  }

  @Test func onlyTheUserCanReadTheFiles() throws {
    let store = try folder.open { $0.path += "/deep/er" }
    for (name, mode) in ["": 0o700, "/data.mdb": 0o600, "/lock.mdb": 0o600] {
      let attributes = try FileManager.default.attributesOfItem(atPath: store.path + name)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
    }
  }

  @Test func manyThreadsOpenAndCloseOneFolder() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<6 {
        group.addTask {
          try await onThread { () throws in
            for round in 0..<40 {
              let store = try folder.open(Int.self) { $0.database = "database \(thread % 3)" }
              try store.setObject(text("\(round)"), forKey: thread)
              #expect(try store.object(forKey: thread) == text("\(round)"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for thread in 0..<6 {
      let store = try folder.open(Int.self) { $0.database = "database \(thread % 3)" }
      #expect(try await store.object(forKey: thread) == text("39"))
    }
  }

  @Test(arguments: LMDBConfig.Durability.allCases) func eachWriterHasItsOwnDurability(
    _ durability: LMDBConfig.Durability
  ) throws {
    var stores: [LMDBStorage<Int>] = []
    for durability in [.off, durability, .full, .normal] as [LMDBConfig.Durability] {
      stores.append(try folder.open(Int.self) { $0.durability = durability })
    }
    for round in 0..<3 {
      for store in stores {
        try store.setObject(text("\(round)"), forKey: round)
        var flags: UInt32 = 0
        mdb_env_get_flags(store.engine.environment.handle, &flags)
        let expected: Int32 =
          switch store.engine.config.durability {
          case .full: 0
          case .normal: MDB_NOMETASYNC
          case .off: MDB_NOSYNC
          }
        #expect(Int32(flags) & (MDB_NOSYNC | MDB_NOMETASYNC) == expected)
      }
    }
  }
}
