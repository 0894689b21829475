import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether the kit has started this process for a part of a check.
package let isSecondProcess = ProcessInfo.processInfo.environment["STRATA_TESTKIT_CHILD"] != nil

/// A resource that a check of the kit needs beside its store, such as a server. Only the test process starts it;
/// processes that the kit starts find it through a note in a file.
package struct CheckFixture<Note: Codable & Sendable>: Sendable {
  /// The data that locates the resource.
  package let note: Note
  /// Keeps the resource alive in the test process. `nil` in a second process.
  private let owner: (any Sendable)?

  /// - Parameter name: identifies the check, if others run at the same time.
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

/// Deletes the note when the resource is released.
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
