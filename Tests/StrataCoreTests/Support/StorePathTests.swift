import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

struct StorePathTests {
  let folder = TemporaryFolder().url.path

  private func failure<R>(_ body: () throws(StorageError) -> R) -> StorageError? {
    do throws(StorageError) { _ = try body() } catch { return error }
    return nil
  }

  @Test func aRelativePathStartsAtTheWorkingDirectory() throws {
    let current = FileManager.default.currentDirectoryPath
    #expect(try StorePath.absolute("some/store.db") == current + "/some/store.db")
    #expect(try StorePath.absolute("~/x") == current + "/~/x")
    #expect(try StorePath.absolute("/x/../y") == "/x/../y")
  }

  @Test(arguments: ["", "a\0b", "/a\0"]) func whatIsNoPath(_ path: String) {
    #expect(failure { () throws(StorageError) in try StorePath.absolute(path) } == .invalidConfiguration)
  }

  @Test(arguments: ["", "/a", "/a/b/c", "/a//b/"]) func foldersAreMadeForTheUserAlone(_ path: String) throws {
    for _ in 0..<2 { try StorePath.makeFolder(folder + path) }
    var status = stat()
    #expect(stat(folder + path, &status) == 0)
    if path != "" { #expect(status.st_mode & 0o777 == 0o700) }
  }

  @Test func aFolderOfTheSystemIsThere() throws {
    for path in ["/", "/proc", "/usr"] { try StorePath.makeFolder(path) }
  }

  @Test(arguments: ["/file", "/file/below", "/file/below/that"])
  func aFileInTheWay(_ path: String) throws {
    try Data().write(to: URL(filePath: folder + "/file"))
    let error = failure { () throws(StorageError) in try StorePath.makeFolder(folder + path) }
    #expect(error == .backendFailed)
    #expect(error?.message.contains("Not a directory") == true)
    #expect(error?.place?.hasPrefix(folder + "/file") == true)
  }

  @Test func twoThreadsMakeTheSameFolders() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 0..<400 {
        group.addTask { try StorePath.makeFolder("\(folder)/\(round / 4)/a/b/c/d") }
      }
      try await group.waitForAll()
    }
  }
}
