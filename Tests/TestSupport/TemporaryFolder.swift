package import Foundation

/// A folder for one test, removed with it.
package final class TemporaryFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appending(path: "strata-test-\(UUID().uuidString)")

  package init() {}

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch CocoaError.fileNoSuchFile {
    } catch {
      preconditionFailure("the test left something behind that cannot be removed: \(error)")
    }
  }

  /// The files in it, at any depth.
  package var files: [URL] {
    let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isRegularFileKey])
    return (all?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
  }
}
