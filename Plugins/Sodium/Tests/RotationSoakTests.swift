import Foundation
import Strata
import StrataSQLite
import StrataSodium
import TestSupport
import Testing

/// Repeated rotations, each of which removes the older keys, with eight concurrent writers: no acknowledged write is
/// lost.
@Suite(.endsInTime) struct RotationSoakTests {
  private static let rotations = Soak.rounds(40, soak: 10_000)
  private static let writers = 8
  private static let keys = 4

  @Test func rotationsOverMemory() async throws { try await rotate(MemoryStorage<String, Data>()) }

  @Test func rotationsOverFiles() async throws {
    let config = DiskConfig(name: "store", directory: TemporaryFolder().url)
    try await rotate(DiskStorage<String>(config: config))
  }

  @Test func rotationsOverATable() async throws {
    let config = SQLiteConfig(path: TemporaryFolder().url.path + "/store.db")
    try await rotate(SQLiteStorage<String>(config: config))
  }

  private typealias Changeable = SyncUpdateableStorage<String, Data> & SyncConditionalStorage<String, Data>

  private func rotate(_ base: some Changeable) async throws {
    let ring = KeyRing(try SecretKey())
    let store = base.encrypted(with: ring)
    let isRotating = Shared(true)
    let acknowledged = try await withThrowingTaskGroup(of: [String: Data].self) { group in
      for writer in 0..<Self.writers {
        group.addTask {
          try await onThread {
            try Self.write(store, writer: writer, while: { isRotating.value })
          }
        }
      }
      group.addTask {
        try await onThread {
          defer { isRotating.change { $0 = false } }
          for _ in 0..<Self.rotations {
            ring.rotate(adding: try SecretKey())
            try store.reencrypt()
            ring.removeOlder()
          }
          return [:]
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
    try await onThread {
      let count = try store.keys().count
      #expect(count == acknowledged.count)
      for (key, value) in acknowledged {
        let read = try store.object(forKey: key)
        #expect(read == value, "\(key)")
      }
    }
  }

  /// Writes keys that no other writer uses, by every method, and reads each back. Returns the last acknowledged values.
  private static func write(
    _ store: some Changeable, writer: Int, while isRotating: () -> Bool
  ) throws -> [String: Data] {
    var generator = SeededGenerator(seed: Soak.seed &+ UInt64(writer))
    var stored: [String: Data] = [:]
    var number: UInt32 = 0
    while isRotating() || number < 20 {
      number += 1
      let key = "\(writer) \(Int.random(in: 0..<keys, using: &generator))"
      let value = withUnsafeBytes(of: number) { Data($0) }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        try store.removeObject(forKey: key)
        stored[key] = nil
        continue
      case 1...2:
        let both = [key: value, "\(writer) other": value]
        try store.setObjects(both, expiry: nil)
        stored.merge(both) { _, new in new }
      case 3...4 where stored[key] != nil:
        try store.update(forKey: key) { $0 = value }
        stored[key] = value
      case 5 where stored[key] != nil:
        let expiry = try store.entry(forKey: key).expiry
        try store.replaceObject(value, forKey: key, expiry: expiry)
        stored[key] = value
      case 6:
        let isAbsent = stored[key] == nil
        guard try store.setIfAbsent(value, forKey: key, expiry: nil) == isAbsent else {
          throw LostWrite(key: key, seed: Soak.seed)
        }
        if isAbsent { stored[key] = value }
      case 7 where stored[key] != nil:
        guard try store.touch(forKey: key, expiry: .seconds(1e6)) else {
          throw LostWrite(key: key, seed: Soak.seed)
        }
      default:
        try store.setObject(value, forKey: key, expiry: nil)
        stored[key] = value
      }
      for (key, value) in stored {
        guard try store.objectIfPresent(forKey: key) == value else {
          throw LostWrite(key: key, seed: Soak.seed)
        }
      }
      // If there are more writers than processors, and none ever waits, the rotation gets few turns.
      sched_yield()
    }
    return stored
  }

  /// Rotations in tasks, over an asynchronous store without an atomic update, where each write has its turn.
  @Test func rotationsOverAnAsynchronousStore() async throws {
    let ring = KeyRing(try SecretKey())
    let store = SlowStorage(MemoryStorage<String, Data>()).encrypted(with: ring)
    let isRotating = Shared(true)
    let acknowledged = try await withThrowingTaskGroup(of: [String: Data].self) { group in
      for writer in 0..<Self.writers {
        group.addTask { try await Self.write(store, writer: writer, while: { isRotating.value }) }
      }
      group.addTask {
        defer { isRotating.change { $0 = false } }
        for _ in 0..<Self.rotations {
          ring.rotate(adding: try SecretKey())
          try await store.reencrypt()
          ring.removeOlder()
        }
        return [:]
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
    #expect(try await store.keys().count == acknowledged.count)
    for (key, value) in acknowledged { #expect(try await store.object(forKey: key) == value, "\(key)") }
  }

  private static func write(
    _ store: some StorageAware<String, Data>, writer: Int, while isRotating: () -> Bool
  ) async throws -> [String: Data] {
    var generator = SeededGenerator(seed: Soak.seed &+ UInt64(writer))
    var stored: [String: Data] = [:]
    var number: UInt32 = 0
    while isRotating() || number < 20 {
      number += 1
      let key = "\(writer) \(Int.random(in: 0..<keys, using: &generator))"
      let value = withUnsafeBytes(of: number) { Data($0) }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        try await store.removeObject(forKey: key)
        stored[key] = nil
      case 1:
        let both = [key: value, "\(writer) other": value]
        try await store.setObjects(both, expiry: nil)
        stored.merge(both) { _, new in new }
      case 2:
        try await store.replaceObject(value, forKey: key, expiry: .never)
        stored[key] = value
      default:
        try await store.setObject(value, forKey: key, expiry: nil)
        stored[key] = value
      }
      for (key, value) in stored {
        guard try await store.objectIfPresent(forKey: key) == value else {
          throw LostWrite(key: key, seed: Soak.seed)
        }
      }
      await Task.yield()
    }
    return stored
  }

  private struct LostWrite: Error {
    let key: String
    let seed: UInt64
  }
}
