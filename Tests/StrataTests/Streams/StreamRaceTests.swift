import Foundation
import Strata
import TestSupport
import Testing

/// Readers, writers, removals and readers that leave, all at once, over a front that fills while it is read.
@Suite("Races of streams", .timeLimit(.minutes(5)), .endsInTime)
struct StreamRaceTests {
  /// A value of one version: each byte is its number.
  private static func value(_ version: UInt8) -> Data {
    Data(repeating: version, count: 400_000 + Int(version))
  }

  /// Returns the versions of which bytes are, without looking at each byte if it is one.
  private static func versions(in data: Data) -> Set<UInt8> {
    guard let first = data.first else { return [] }
    return data == Data(repeating: first, count: data.count) ? [first] : Set(data)
  }

  @Test("each reader gets one version as a whole, and no old version stays in front", arguments: 0..<4)
  func versions(seed: UInt64) async throws {
    let (front, back) = (PartStorage(), PartStorage())
    let store =
      seed.isMultiple(of: 2)
      ? AsyncStorage(back: front.combined(with: back), transformer: .data)
      : AsyncStorage(
        front: MemoryStorage<String, TypeWrapper>(), back: front.combined(with: back), transformer: .data)
    try await store.write(forKey: "a", from: PartSequence(Self.value(1)))
    try await front.removeAll()
    let whole = Count()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<6 {
        group.addTask {
          for round in 0..<25 {
            let task = Task {
              guard let bytes = try await store.stream("a", nil, []) else { return }
              var (count, versions) = (0, Set<UInt8>())
              for try await part in bytes {
                count += part.count
                versions.formUnion(Self.versions(in: part))
                // One in four leaves in the middle, one in four is cancelled.
                if (reader + round).isMultiple(of: 4), count > 150_000 { return }
              }
              let version = try #require(versions.first)
              #expect(versions.count == 1)
              #expect(count == Self.value(version).count)
              whole.add()
            }
            if (reader + round) % 4 == 1 { task.cancel() }
            do { try await task.value } catch is CancellationError {}
          }
        }
      }
      group.addTask {
        for version in UInt8(2)..<40 {
          switch version % 4 {
          case 0: try await store.removeObject(forKey: "a")
          case 1: try await store.setObject(Self.value(version), forKey: "a")
          default: try await store.write(forKey: "a", from: PartSequence(Self.value(version)))
          }
          // The next readers find the front empty, and fill it.
          if version % 4 == 3 { try await front.removeAll() }
        }
      }
      try await group.waitForAll()
    }
    #expect(whole.value > 20)
    let inBack = back.stored("a")
    #expect(inBack == Self.value(39))
    let inFront = front.stored("a")
    #expect(inFront == nil || inFront == inBack)
    #expect(try await store.read(forKey: "a").data() == inBack)
    #expect(try await store.object(forKey: "a") == inBack)
  }

  @Test("downloads, removals and writes at once leave one whole value", arguments: 0..<4)
  func downloads(seed: UInt64) async throws {
    let parts = PartStorage()
    let store = AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(), back: parts, transformer: .data.zlib(level: 1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<6 {
        group.addTask {
          for round in 0..<20 {
            let version = UInt8(1 + (reader * 20 + round) % 100)
            let bytes = try await store.read(forKey: "a") { StoredBytes(Self.value(version)) }
            if round % 5 == 4 { continue }
            let data = try await bytes.data()
            #expect(data.first.map { Self.value($0) } == data)
          }
        }
      }
      group.addTask {
        for version in UInt8(101)..<130 {
          if version % 3 == 0 {
            try await store.write(forKey: "a", from: PartSequence(Self.value(version)))
          } else {
            try await store.removeObject(forKey: "a")
          }
        }
      }
      try await group.waitForAll()
    }
    let data = try await store.read(forKey: "a") { StoredBytes(Self.value(200)) }.data()
    #expect(Self.versions(in: data).count == 1)
    #expect(try await store.object(forKey: "a") == data)
  }
}
