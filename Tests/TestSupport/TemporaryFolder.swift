package import Foundation

/// A folder for one test, removed when the test process ends: stores may outlive the test that made them.
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
