import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether the kit has started this process for a part of a check.
package let isSecondProcess = ProcessInfo.processInfo.environment["STRATA_TESTKIT_ERRAND"] != nil

/// What a check of the kit needs beside its store, a server say: started in the process of the tests, and found again
/// in the processes that the kit starts, by a note. They run the test for all other promises too, and start nothing.
package struct CheckFixture<Note: Codable & Sendable>: Sendable {
  /// What is to be known of it: where it is.
  package let note: Note
  /// Keeps it; a second process keeps nothing.
  private let owner: (any Sendable)?

  /// - Parameter name: that of the check, if others run at the same time.
  package init<Fixture: Sendable>(
    _ name: String, note: (Fixture) -> Note, start: () async throws -> Fixture
  ) async throws {
    let process = isSecondProcess ? getppid() : getpid()
    let file = FileManager.default.temporaryDirectory.appending(path: "strata-tests-\(process)-\(name)")
    if isSecondProcess {
      self.note = try JSONDecoder().decode(Note.self, from: Data(contentsOf: file))
      owner = nil
    } else {
      let fixture = try await start()
      self.note = note(fixture)
      try JSONEncoder().encode(self.note).write(to: file)
      owner = Owner(fixture, file)
    }
  }
}

/// Takes the note away with what it tells of.
private final class Owner<Fixture: Sendable>: Sendable {
  private let fixture: Fixture
  private let file: URL

  init(_ fixture: Fixture, _ file: URL) {
    self.fixture = fixture
    self.file = file
  }

  deinit {
    do { try FileManager.default.removeItem(at: file) } catch { print("left behind: \(error)") }
  }
}
