import Foundation
import StrataCore
import StrataDisk
import TestSupport
import Testing

@Suite("Exporting a value as a file")
struct ExportTests {
  @Test("the file contains exactly the value's bytes", arguments: [100, 5_000_000])
  func bytes(_ size: Int) async throws {
    let folder = TemporaryFolder()
    let disk = try DiskStorage<String>(config: DiskConfig(name: "films", directory: folder.url))
    let film = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try await disk.setObject(film, forKey: "intro", expiry: nil)
    let file = folder.url.appending(path: "copies/intro.mp4")
    try await disk.exportObject(forKey: "intro", to: file)
    #expect(try Data(contentsOf: file) == film)

    try await disk.setObject(Data("new".utf8), forKey: "intro", expiry: nil)
    #expect(try Data(contentsOf: file) == film, "the copy does not change with the store")
    try await disk.exportObject(forKey: "intro", to: file)
    #expect(try Data(contentsOf: file) == Data("new".utf8))
  }

  @Test("exporting an absent value writes no file")
  func absent() async throws {
    let folder = TemporaryFolder()
    let disk = try DiskStorage<String>(config: DiskConfig(name: "films", directory: folder.url))
    let file = folder.url.appending(path: "intro.mp4")
    await #expect(throws: StorageError.notFound) { try await disk.exportObject(forKey: "intro", to: file) }
    #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
  }
}
