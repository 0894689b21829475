package import Foundation

/// A folder for one test. It is deleted when the test process ends, since stores may outlive their test.
package struct TemporaryFolder: Sendable {
  package let url: URL

  private static let root: URL = {
    atexit {
      do { try FileManager.default.removeItem(at: TemporaryFolder.root) } catch {
        print("left behind: \(error)")
      }
    }
    return FileManager.default.temporaryDirectory.appending(path: "strata-tests-\(UUID().uuidString)")
  }()

  /// A folder in memory, for tests that would wait for a disk or need a short path. `nil` if the system has none. Under
  /// `Tests/run` it belongs to the run, and is deleted with it.
  package static let memory: URL? =
    [ProcessInfo.processInfo.environment["STRATA_MEMORY_FOLDER"], "/dev/shm"].lazy.compactMap { $0 }
    .first { FileManager.default.isWritableFile(atPath: $0) }.map { URL(filePath: $0) }

  package init() {
    url = Self.root.appending(path: UUID().uuidString)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("no folder for the tests: \(error)")
    }
  }
}
