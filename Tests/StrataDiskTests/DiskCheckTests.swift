#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Glibc
import StrataCore
import Testing

@testable import StrataDisk

struct DiskCheckTests {
  private func fill(_ folder: TestFolder) throws -> DiskStorage<String> {
    let disk = try folder.open()
    for i in 0..<20 { try disk.setObject(bytes(100 * i, seed: i), forKey: "k\(i)", expiry: nil) }
    for i in 0..<3 { try disk.setObject(bytes(100_000, seed: i), forKey: "large\(i)", expiry: nil) }
    try disk.removeObject(forKey: "k3")
    return disk
  }

  @Test(arguments: [DiskLayout.automatic, .packed, .files])
  func aSoundStoreHasNoFindings(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let disk = try fill(folder)
    #expect(try disk.verify() == [])
    #expect(try disk.repair() == [])
    #expect(try disk.keys().count == 22)
  }

  @Test(arguments: [DiskLayout.automatic, .files])
  func foreignFilesAreNamedAndStay(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let disk = try fill(folder)
    try text("mine").write(to: folder.store.appending(path: "notes.txt"))
    try FileManager.default.createDirectory(
      at: folder.store.appending(path: "More"), withIntermediateDirectories: false)
    for findings in [try disk.verify(), try disk.repair(), try disk.verify()] {
      #expect(findings.map(\.kind) == [.foreign, .foreign])
      #expect(Set(findings.map { URL(fileURLWithPath: $0.path).lastPathComponent }) == ["notes.txt", "More"])
    }
    try disk.removeAll()
    #expect(try folder.names().contains("notes.txt"))
  }

  @Test func damageIsFoundAndSetAside() throws {
    let folder = try TestFolder(.automatic)
    let disk = try fill(folder)
    let segment = folder.store.appending(path: EntryName.segment(1))
    var bad = try Data(contentsOf: segment)
    bad[try #require(place(of: bytes(1500, seed: 15), in: bad)) + 700] ^= 1
    let handle = try File(segment.path, O_RDWR)
    try handle.write(Array(bad), at: 0)
    let values = try folder.names("Values")
    let value = folder.store.appending(path: "Values/" + values[0])
    try Data(contentsOf: value).dropLast().write(to: value)
    try text("?").write(to: folder.store.appending(path: "Values/" + EntryName.value(5)))
    try text("half").write(to: folder.store.appending(path: EntryName.temporary()))

    let found = try disk.verify()
    #expect(found.count { $0.kind == .damaged } == 2)
    #expect(found.count { $0.kind == .orphaned } == 2)
    #expect(Set(found.filter { $0.kind == .damaged }.map(\.path)) == [segment.path, value.path])
    #expect(try disk.verify() == found)
    #expect(try disk.repair() == found)
    #expect(try disk.verify() == [])
    #expect(try disk.keys().count == 20)
    #expect(try disk.entryIfPresent(forKey: "k15") == nil)
    #expect(try folder.open().verify() == [])
    // Three files: the damaged record, its value, and the value file that the damaged record may have named.
    #expect(try folder.damagedNames().count == 3)
    #expect(try disk.totalSize == folder.logBytes())
  }

  @Test func damagedFilesAreFoundAndSetAside() throws {
    let folder = try TestFolder(.files)
    let disk = try fill(folder)
    try text("?").write(to: folder.file(of: "k7"))
    #expect(try disk.keys().count == 21)
    try text("?").write(to: folder.file(of: "k8"))
    #expect(try disk.verify().map(\.path) == [folder.file(of: "k8").path])
    try disk.repair()
    #expect(try disk.verify() == [])
    #expect(try disk.keys().count == 20)
  }
}
