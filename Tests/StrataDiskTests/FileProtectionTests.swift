#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

@testable import StrataDisk

/// The files that are protected while the device is locked. Only on a device does the protection have an effect.
struct FileProtectionTests {
  private func entry(_ key: String, _ count: Int) -> NewEntry {
    NewEntry(key: key.canonicalUTF8, value: Data(repeating: 7, count: count), expiry: .never)
  }

  /// Returns the log of a folder, and a function that returns the names of protected files, without temporary ones.
  private func log(_ folder: TestFolder, limit: UInt = 0) -> (log: LogFolder, protected: () -> Set<String>) {
    let paths = Locked<[String]>([])
    let config = DiskConfig(name: "store", maxSize: limit, directory: folder.url)
    let protection = FileProtection { path throws(SystemError) in
      // A file is protected before it contains any data.
      let size = try FileStatus(of: path)?.size
      #expect(size == 0)
      paths.withLock { $0.append(path) }
    }
    let log = LogFolder(config, in: EntryFolder(path: folder.store.path), protection: protection)
    return (log, { Set(paths.withLock { $0 }.map { String($0.dropFirst(folder.store.path.count + 1)) }) })
  }

  @Test func eachSegmentIsProtectedAndTheSharedFileIsNot() throws {
    let folder = try TestFolder(.automatic)
    let (log, protected) = log(folder)
    for number in 0..<60 { try log.store([entry("\(number)", 60_000)]) }
    let segments = try folder.names().filter { EntryName.segmentNumber($0) != nil }
    #expect(segments.count > 1)
    #expect(protected() == Set(segments))
  }

  @Test func aLargeValueIsProtectedBeforeItIsInItsPlace() throws {
    let folder = try TestFolder(.automatic)
    let (log, protected) = log(folder)
    try log.store([entry("large", 100_000)])
    try log.store((0..<70).map { entry("\($0)", 70_000) })
    #expect(protected().filter(EntryName.isTemporary).count == 71)
    #expect(try folder.names(EntryName.values).count == 71)
  }

  @Test func whatIsSetAsideIsProtected() throws {
    let folder = try TestFolder(.automatic)
    let (log, protected) = log(folder)
    try log.store([entry("one", 100)])
    let segment = try File(folder.store.appending(path: EntryName.segment(1)).path, O_WRONLY)
    try segment.write([0, 1, 2], at: try segment.status().size - 50)
    #expect(failure { try log.entry("one".canonicalUTF8) } == .malformedFileAttributes)
    #expect(protected().contains { $0.hasPrefix(EntryName.damaged) })
  }

  @Test func aFileThatCannotBeProtectedIsNotWritten() throws {
    let folder = try TestFolder(.automatic)
    let config = DiskConfig(name: "store", directory: folder.url)
    let log = LogFolder(
      config, in: EntryFolder(path: folder.store.path),
      protection: FileProtection { path throws(SystemError) in throw SystemError("setAttributes", path, EPERM)
      })
    for count in [100, 100_000] {
      let refused = #expect(throws: SystemError.self) { try log.store([entry("one", count)]) }
      #expect(refused?.code == EPERM)
    }
    #expect(try folder.names() == [EntryName.control])
  }
}
