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

  package init() {
    url = Self.root.appending(path: UUID().uuidString)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("no folder for the tests: \(error)")
    }
  }
}
