import Foundation
import Strata
import StrataLoading
import StrataSQLite
import TestSupport
import Testing

/// Changes of loaded values, by one process and by two.
@Suite(.endsInTime) struct LoadingUpdateTests {
  enum Chain: String, CaseIterable, Sendable { case memoryAndDisk, bytes, values }

  @Test(arguments: Chain.allCases, RivalUpdate.allCases)
  func noChangeOfTwoProcessesIsLost(_ chain: Chain, _ change: RivalUpdate) async throws {
    try await change.run(chain.rawValue) {
      [TemporaryFolder().url.path]
    } open: { words in
      let disk = try DiskStorage<String>(config: DiskConfig(name: "n", directory: URL(filePath: words[0])))
      let policy = LoadPolicy(freshFor: .seconds(1e6))
      let storage = Storage(
        front: MemoryStorage<String, TypeWrapper>(), back: disk, transformer: .codable(Int.self))
      return switch chain {
      case .memoryAndDisk:
        RivalUpdate.Views(
          numbers: storage.loading(policy) { _ in .absent() },
          tallies: storage.transform(to: Tally.self).loading(policy) { _ in .absent() })
      case .bytes:
        RivalUpdate.Views(
          numbers: disk.transform(to: Int.self).loading(policy) { _ in .absent() },
          tallies: disk.transform(to: Tally.self).loading(policy) { _ in .absent() })
      case .values:
        RivalUpdate.Views(
          numbers: storage.async.loading(policy) { _ in .absent() },
          tallies: storage.transform(to: Tally.self).async.loading(policy) { _ in .absent() })
      }
    }
  }

  @Test func anUpdateLoadsAMissingValueAndKeepsItsExpiry() async throws {
    let time = ManualClock()
    let memory = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock))
    let loads = Locked(0)
    let numbers = memory.loading(LoadPolicy(freshFor: .seconds(10))) { _ in
      loads.withLock { $0 += 1 }
      return .value(1, tags: ["t"])
    }
    #expect(try await numbers.update(forKey: "a") { $0 += 1 } == 2)
    #expect(try await numbers.object(forKey: "a") == 2)
    time.advance(by: .seconds(5))
    #expect(try await numbers.update(forKey: "a") { $0 += 1 } == 3)
    #expect(loads.withLock { $0 } == 1)
    #expect(try await numbers.storedEntry(forKey: "a")?.tags == ["t"])
    time.advance(by: .seconds(6))
    #expect(try await numbers.object(forKey: "a") == 1)
    try await numbers.remove(tagged: "t")
    #expect(try await numbers.setIfAbsent(7, forKey: "a"))
    #expect(try await !numbers.setIfAbsent(8, forKey: "a"))
    #expect(try await numbers.object(forKey: "a") == 7)
  }

  @Test func aValueThatIsNotKeptCannotBeUpdated() async throws {
    let numbers = MemoryStorage<String, Cached<Int>>().loading(LoadPolicy(freshFor: .zero)) { _ in .value(1) }
    await #expect(throws: StorageError.notFound) { try await numbers.update(forKey: "a") { $0 += 1 } }
    let nothing = MemoryStorage<String, Cached<Int>>().loading { _ in .absent() }
    await #expect(throws: StorageError.notFound) { try await nothing.update(forKey: "a") { $0 += 1 } }
  }
}
