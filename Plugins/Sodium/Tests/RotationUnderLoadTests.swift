import Foundation
import Strata
import StrataSQLite
import StrataSodium
import TestSupport
import Testing

/// Rotation during concurrent reads and writes, and with processes that are killed.
@Suite(.endsInTime) struct RotationUnderLoadTests {
  enum Below: String, CaseIterable, Sendable {
    case memory, disk, table

    func open(_ folder: URL, _ ring: KeyRing) throws -> any SyncStorageAware<String, Data> {
      switch self {
      case .memory: MemoryStorage<String, Data>().encrypted(with: ring)
      case .disk:
        try DiskStorage<String>(config: DiskConfig(name: "store", directory: folder)).encrypted(with: ring)
      case .table:
        try SQLiteStorage<String>(config: SQLiteConfig(path: folder.path + "/store.db")).encrypted(with: ring)
      }
    }
  }

  @Test(arguments: Below.allCases) func noWriteIsLostAndNoReadFails(_ below: Below) async throws {
    let ring = KeyRing(try SecretKey())
    let store = try below.open(TemporaryFolder().url, ring)
    let keys = (0..<40).map { "key \($0)" }
    try await onThread { for key in keys { try store.setObject(number(0), forKey: key) } }
    let isRotating = Shared(true)
    try await withThrowingTaskGroup { group in
      // Each writer increments separate keys: a lost write would make a value decrease.
      for writer in 0..<2 {
        group.addTask {
          try await onThread {
            var turn: UInt32 = 0
            while isRotating.value || turn < 50 {
              turn += 1
              for (i, key) in keys.enumerated() where i % 4 == writer {
                try store.setObject(number(turn), forKey: key)
                let read = try store.object(forKey: key)
                #expect(read == number(turn))
              }
            }
          }
        }
      }
      // Reads store these values again; no other thread writes them.
      group.addTask {
        try await onThread {
          while isRotating.value {
            for (i, key) in keys.enumerated() where i % 4 >= 2 {
              let read = try store.object(forKey: key)
              #expect(read == number(0))
            }
          }
        }
      }
      try await onThread {
        defer { isRotating.change { $0 = false } }
        for _ in 0..<20 {
          ring.rotate(adding: try SecretKey())
          try reencrypt(store)
        }
      }
      try await group.waitForAll()
    }
    ring.rotate(adding: try SecretKey())
    try await onThread { try reencrypt(store) }
    ring.removeOlder()
    #expect(try await onThread { try store.allObjects().count } == keys.count)
  }

  @Test(arguments: [Below.disk, .table]) func noValueIsLostWhenTheProcessIsKilled(_ below: Below) async throws
  {
    let folder = TemporaryFolder().url
    let (old, new) = (try SecretKey(), try SecretKey())
    try old.write(toFile: folder.path + "/old")
    try new.write(toFile: folder.path + "/new")
    try await onThread {
      let store = try below.open(folder, KeyRing(old))
      try store.setObjects(
        Dictionary(uniqueKeysWithValues: (0..<3000).map { ("\($0)", number(UInt32($0))) }), expiry: nil)
    }
    // The process is killed later in each round, so that little, some and most of the work is done.
    for delay in [1, 8, 24, 60] {
      let (end, said) = try await onThread {
        try SodiumRunner.run("rotate", below.rawValue, folder.path, "\(delay)")
      }
      #expect(end == .signal(SIGKILL), "\(String(decoding: said, as: UTF8.self))")
      try await onThread {
        let store = try below.open(folder, KeyRing(newest: old, older: [new]))
        for i in 0..<3000 where i % 7 == delay % 7 {
          let read = try store.object(forKey: "\(i)")
          #expect(read == number(UInt32(i)))
        }
        #expect(try store.keys().count == 3000)
      }
    }
    let (end, printed) = try await onThread {
      try SodiumRunner.run("rotate", below.rawValue, folder.path, "0")
    }
    #expect(end == .exit(0), "\(String(decoding: printed, as: UTF8.self))")
    try await onThread {
      let store = try below.open(folder, KeyRing(new))
      for i in 0..<3000 {
        let read = try store.object(forKey: "\(i)")
        #expect(read == number(UInt32(i)))
      }
    }
  }
}

private func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value) { Data($0) } }

private func reencrypt(_ store: any SyncStorageAware<String, Data>) throws {
  if let store = store as? EncryptedStorage<MemoryStorage<String, Data>> { try store.reencrypt() }
  if let store = store as? EncryptedStorage<DiskStorage<String>> { try store.reencrypt() }
  if let store = store as? EncryptedStorage<SQLiteStorage<String>> { try store.reencrypt() }
}
