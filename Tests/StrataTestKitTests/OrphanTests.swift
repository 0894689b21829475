#if os(Linux)
  import Foundation
  import Strata
  import StrataTestKit
  import TestSupport
  import Testing

  /// Three processes: the test, the program of the tests that runs a check of the kit, and that check's child.
  @Suite("A child of a check that is killed") struct OrphanTests {
    private static let variable = "STRATA_TESTKIT_ORPHAN"
    private static let file = ProcessInfo.processInfo.environment[variable]

    @Test("hangs in its store", .enabled(if: file != nil), .endsInTime) func hangs() async throws {
      let subject = Subject("hangs in a second process") { place in
        if isSecondProcess {
          try Data("\(getpid())".utf8).write(to: URL(filePath: Self.file ?? ""), options: .atomic)
          while true { pause() }
        }
        return try DiskStorage<String>(config: DiskConfig(name: "entries", directory: place.url))
      }
      try await Contract.survivingKill.check(subject)
    }

    @Test("ends, although its store hangs", .endsInTime) func endsWithItsParent() async throws {
      let file = TemporaryFolder().url.appending(path: "child")
      let check = try Program(
        ["/proc/self/exe", "--testing-library", "swift-testing", "--filter", "OrphanTests/hangs"],
        environment: ProcessInfo.processInfo.environment.merging([Self.variable: file.path]) { $1 })
      await until { FileManager.default.fileExists(atPath: file.path) || !check.isRunning }
      let child = try #require(pid_t(String(decoding: Data(contentsOf: file), as: UTF8.self)))
      #expect(Self.isRunning(child))
      check.signal(SIGKILL)
      #expect(check.wait() == .signal(SIGKILL))
      await until { !Self.isRunning(child) }
    }

    /// Whether a process runs. A zombie does not.
    private static func isRunning(_ process: pid_t) -> Bool {
      guard let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
      return !String(decoding: status, as: UTF8.self).contains(") Z ")
    }
  }
#endif
