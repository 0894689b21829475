import CLMDB
import Dispatch
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("The map of LMDBStorage") struct LMDBMapTests {
  private let folder = LMDBFolder()

  private func tiny<Key: StorageKey>(_ type: Key.Type = String.self) throws -> LMDBStorage<Key> {
    try folder.open(type) { $0.firstMapSize = 1 << 16 }
  }

  @Test func growsForASingleValueAndForABatch() throws {
    let store = try tiny(Int.self)
    try store.setObject(bytes(5 << 20), forKey: 0)
    let batch = Dictionary(uniqueKeysWithValues: (1...2000).map { ($0, bytes(4000, seed: UInt64($0))) })
    try store.setObjects(batch, expiry: nil)
    #expect(try store.object(forKey: 0) == bytes(5 << 20))
    #expect(try store.entries(forKeys: Array(batch.keys)).mapValues(\.object) == batch)
  }

  @Test func growsWhileManyRead() async throws {
    let store = try tiny(Int.self)
    for key in 0..<50 { try await store.setObject(bytes(100, seed: UInt64(key)), forKey: key) }
    let isDone = Shared(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<4 {
        group.addTask {
          try await onThread { () throws in
            var random = SeededGenerator(seed: UInt64(reader))
            while !isDone.value {
              let key = Int.random(in: 0..<50, using: &random)
              #expect(try store.object(forKey: key) == bytes(100, seed: UInt64(key)))
            }
          }
        }
      }
      group.addTask {
        try await onThread {
          defer { isDone.change { $0 = true } }
          for key in 100..<1600 { try store.setObject(bytes(10_000, seed: UInt64(key)), forKey: key) }
        }
      }
      try await group.waitForAll()
    }
    await #expect(try store.keys().count == 1550)
  }

  @Test func growthWaitsForAReadOfBytesWithoutBlockingOtherReads() async throws {
    let store = try tiny()
    try await store.setObject(text("value"), forKey: "key")
    let gate = ThreadGate()
    async let seen = onThread {
      try store.withBytes(forKey: "key") { span in
        gate.pass()
        return span.withUnsafeBytes { Data($0) }
      }
    }
    await gate.arrival()
    let hasGrown = Shared(false)
    async let grown: Void = onThread {
      try store.setObject(bytes(1 << 20), forKey: "large")
      hasGrown.change { $0 = true }
    }
    // More reads than the growth first waits for: none of them may be blocked until the gate opens.
    for _ in 0..<2000 { await #expect(try store.entryIfPresent(forKey: "key")?.object == text("value")) }
    #expect(!hasGrown.value)
    gate.open()
    #expect(try await seen == text("value"))
    try await grown
    #expect(try await store.object(forKey: "large") == bytes(1 << 20))
  }

  @Test func aReaderAdoptsTheSizeThatAnotherProcessGave() throws {
    let store = try tiny()
    try store.setObject(text("old"), forKey: "key")
    // The same files under another path: to the store this is another process.
    let other = folder.url.appending(path: "other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    for name in ["data.mdb", "lock.mdb"] {
      #expect(link("\(store.path)/\(name)", "\(other.path)/\(name)") == 0)
    }
    let raw = try RawEnvironment(other.path)
    try raw.write { transaction in
      let record = try #require(try items(of: "entries", in: transaction).first)
      try put(
        Array(record.value.prefix(24)) + Array(bytes(1 << 20)), Array("large".utf8), into: "entries",
        in: transaction)
    }
    #expect(try store.object(forKey: "large") == bytes(1 << 20))
    #expect(try store.object(forKey: "key") == text("old"))
    try store.setObject(text("new"), forKey: "key")
    #expect(try store.object(forKey: "key") == text("new"))
  }

  @Test func theFileDoesNotGrowBeyondItsLimit() throws {
    let store = try folder.open(Int.self) { $0.maxFileSize = 1 << 20 }
    var stored = 0
    let error = failure {
      for key in 0..<1000 {
        try store.setObject(bytes(10_000, seed: UInt64(key)), forKey: key)
        stored += 1
      }
    }
    #expect(error == .backendFailed)
    #expect((error?.cause as? LMDBError)?.name == "MDB_MAP_FULL")
    #expect(
      error?.message.contains("MDB_MAP_FULL (-30792)") == true
        && error?.message.contains("maxFileSize") == true)
    #expect((50...100).contains(stored))
    let size = try FileManager.default.attributesOfItem(atPath: store.path + "/data.mdb")[.size] as? Int
    #expect(size.map { $0 <= 1 << 20 } == true)
    #expect(failure { try store.setObject(bytes(200_000), forKey: -1) } == .backendFailed)
    for key in 0..<stored { #expect(try store.object(forKey: key) == bytes(10_000, seed: UInt64(key))) }
    // Removals make room at once, and a store that allows more lets the file grow.
    try store.removeAll()
    try store.setObject(bytes(10_000), forKey: -1)
    let second = try folder.open(Int.self) { $0.maxFileSize = 4 << 20 }
    try store.setObject(bytes(2 << 20), forKey: -2)
    #expect(try second.object(forKey: -2) == bytes(2 << 20))
  }

  @Test func aReadWaitsForAFreeReaderSlot() async throws {
    let store = try folder.open(Int.self) { $0.readerSlots = 2 }
    for key in 0..<10 { try await store.setObject(bytes(1000, seed: UInt64(key)), forKey: key) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await onThread {
            for round in 0..<500 {
              let seen = try store.withBytes(forKey: round % 10) { span in
                sched_yield()
                return span.withUnsafeBytes { Data($0) }
              }
              #expect(seen == bytes(1000, seed: UInt64(round % 10)))
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func moreThreadsThanReaderSlotsCanRead() async throws {
    let store = try folder.open()
    try await store.setObject(text("value"), forKey: "key")
    let gate = DispatchSemaphore(value: 0)
    let arrived = Shared(0)
    let read = Shared(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<Environment.concurrentReads + 20 {
        group.addTask {
          let value = try? await onThread {
            try store.withBytes(forKey: "key") { span in
              arrived.change { $0 += 1 }
              gate.wait()
              return span.byteCount
            }
          }
          if value == 5 { read.change { $0 += 1 } }
        }
      }
      await until { arrived.value == Environment.concurrentReads }
      // A write succeeds while all reader slots are taken: it needs none.
      blocking { #expect(throws: Never.self) { try store.setObject(text("other"), forKey: "new") } }
      for _ in 0..<Environment.concurrentReads + 20 { gate.signal() }
    }
    #expect(read.value == Environment.concurrentReads + 20)
  }

  @Test func aWriteInsideAReadOfBytesIsRefused() throws {
    let store = try folder.open()
    let neighbour = try folder.open(Int.self) { $0.database = "numbers" }
    try store.setObject(text("value"), forKey: "key")
    try store.withBytes(forKey: "key") { _ throws in
      #expect(failure { try store.setObject(text("other"), forKey: "key") } == .deadlock)
      #expect(failure { try neighbour.removeAll() } == .deadlock)
      #expect(try store.object(forKey: "key") == text("value"))
    }
    struct Own: Error {}
    #expect(throws: Own.self) { try store.withBytes(forKey: "key") { _ in throw Own() } }
    try store.setObject(text("other"), forKey: "key")
    #expect(try store.withBytes(forKey: "key") { $0.byteCount } == 5)
    #expect(try store.withBytes(forKey: "none") { $0.byteCount } == nil)
    try store.setObject(text("gone"), forKey: "expired", expiry: .seconds(0))
    #expect(try store.withBytes(forKey: "expired") { $0.byteCount } == nil)
  }

  @Test func readBytesDoNotChangeDuringWrites() async throws {
    let store = try folder.open()
    try await store.setObject(bytes(100_000, seed: 1), forKey: "key")
    let seen = try store.withBytes(forKey: "key") { span in
      onAnotherThread {
        for seed in 2..<40 {
          #expect(throws: Never.self) {
            try store.setObject(bytes(100_000, seed: UInt64(seed)), forKey: "key")
          }
        }
      }
      return span.withUnsafeBytes { Data($0) }
    }
    #expect(seen == bytes(100_000, seed: 1))
    #expect(try blocking { try store.object(forKey: "key") } == bytes(100_000, seed: 39))
  }
}
