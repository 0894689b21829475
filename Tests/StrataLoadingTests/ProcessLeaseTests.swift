import Foundation
import Strata
import StrataSQLite
import TestSupport
import Testing

@Suite("Leases among processes", .timeLimit(.minutes(5)), .endsInTime)
struct ProcessLeaseTests {
  private static func load(
    _ store: Storage<String, Data>, _ lease: Duration, _ load: @escaping LeaseTrial.Load
  ) -> LeaseTrial.Read {
    let cache = store.loading(LoadPolicy(lease: .shared(for: lease)), value: { _ in try await load() })
    return { try await cache.object(forKey: "key") }
  }

  @Test(
    "over SQLite: one load; another process follows a killed holder, and a stopped one is refused (cases 48, 49)",
    arguments: LeaseTrial.Part.allCases)
  func sqlite(_ part: LeaseTrial.Part) async throws {
    let folder = TemporaryFolder()
    try await LeaseTrial { words, lease, load in
      let database = try SQLiteStorage<String>(config: SQLiteConfig(path: words[0] + "/entries.db"))
      return Self.load(Storage(back: database, transformer: .data), lease, load)
    }.run(part, [folder.url.path])
  }

  @Test(
    "over a folder: one load; another process follows a killed holder, and a stopped one is refused (cases 48, 49)",
    arguments: LeaseTrial.Part.allCases)
  func disk(_ part: LeaseTrial.Part) async throws {
    let folder = TemporaryFolder()
    try await LeaseTrial { words, lease, load in
      let disk = try DiskStorage<String>(
        config: DiskConfig(name: "entries", directory: URL(filePath: words[0])))
      return Self.load(Storage(back: disk, transformer: .data), lease, load)
    }.run(part, [folder.url.path])
  }
}
