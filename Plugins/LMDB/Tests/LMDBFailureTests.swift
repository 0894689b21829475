import CLMDB
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("Failures to open an LMDBStorage") struct LMDBFailureTests {
  private let folder = LMDBFolder()

  private func expectError(
    _ error: StorageError?, _ code: StorageError, _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error == code, sourceLocation: sourceLocation)
    #expect((error?.cause as? LMDBError)?.name == name, sourceLocation: sourceLocation)
    #expect(error?.message.contains(name) == true, sourceLocation: sourceLocation)
    #expect(error?.place?.hasPrefix(folder.path) == true, sourceLocation: sourceLocation)
  }

  private func write(_ bytes: Data, to name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: folder.path).appending(path: name))
  }

  @Test func aFileAtTheFoldersPathIsRefused() throws {
    try text("file").write(to: URL(filePath: folder.path))
    for below in ["", "/below", "/below/that"] {
      let error = failure { try folder.open { $0.path += below } }
      #expect(error == .backendFailed)
      #expect(error?.message.contains("Not a directory") == true)
      #expect(error?.place?.hasPrefix(folder.path) == true)
    }
  }

  @Test(arguments: [1, 100, 5000, 100_000]) func aDataFileOfAnotherFormatIsRefused(_ size: Int) throws {
    try write(bytes(size), to: "data.mdb")
    expectError(failure { try folder.open() }, .malformedFileAttributes, "MDB_INVALID")
    #expect(try Data(contentsOf: URL(filePath: folder.path + "/data.mdb")) == bytes(size))
  }

  @Test func aFolderOrPipeAsTheDataFileIsRefused() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/data.mdb", withIntermediateDirectories: true)
    expectError(failure { try folder.open() }, .malformedFileAttributes, "MDB_INVALID")
    try FileManager.default.removeItem(atPath: folder.path + "/data.mdb")
    #expect(mkfifo(folder.path + "/data.mdb", 0o600) == 0)
    expectError(failure { try folder.open() }, .malformedFileAttributes, "MDB_INVALID")
  }

  @Test func anEmptyDataFileBecomesANewStore() throws {
    try write(Data(), to: "data.mdb")
    try folder.open().setObject(text("value"), forKey: "key")
    #expect(try folder.open().object(forKey: "key") == text("value"))
  }

  @Test func aForeignLockFileIsReplaced() throws {
    do { try folder.open().setObject(text("value"), forKey: "key") }
    try write(bytes(20_000), to: "lock.mdb")
    #expect(try folder.open().object(forKey: "key") == text("value"))
  }

  @Test func aFailureToOpenLeavesNothingOpen() throws {
    try write(bytes(5000), to: "data.mdb")
    #expect(failure { try folder.open() } == .malformedFileAttributes)
    try FileManager.default.removeItem(atPath: folder.path + "/data.mdb")
    try folder.open().setObject(text("value"), forKey: "key")
    #expect(try folder.open().object(forKey: "key") == text("value"))
  }

  @Test(arguments: ["", "a/b", "a\0b", "/", String(repeating: "n", count: 501)])
  func aNameThatNoDatabaseCanHave(_ name: String) {
    #expect(failure { try folder.open { $0.database = name } } == .invalidConfiguration)
  }

  @Test(arguments: ["", "a\0b"]) func anInvalidPathIsRefused(_ path: String) {
    #expect(failure { try folder.open { $0.path = path } } == .invalidConfiguration)
  }

  @Test func tooManyDatabasesThrow() throws {
    // Keeps all stores open at once.
    var stores: [LMDBStorage<Int>] = []
    let error = failure {
      for number in 0... { stores.append(try folder.open(Int.self) { $0.database = "database \(number)" }) }
    }
    expectError(error, .backendFailed, "MDB_DBS_FULL")
    #expect(stores.count == Int(Environment.databases) / 5)
    for (number, store) in stores.enumerated() { try store.setObject(bytes(10), forKey: number) }
    for (number, store) in stores.enumerated() { #expect(try store.keys() == [number]) }
  }

  @Test func anErrorContainsPathKeyAndCause() {
    let error = StorageError.explaining(
      LMDBError(ENOSPC), "store the entry", key: "key", place: "/folder", by: StorageError.lmdb)
    #expect(error == .backendFailed && error.place == "/folder" && error.key as? String == "key")
    #expect(error.message.hasPrefix("cannot store the entry: ENOSPC (28): No space left on device"))
    #expect((error.cause as? LMDBError)?.code == ENOSPC)
    #expect("\(LMDBError(MDB_PANIC))".hasPrefix("MDB_PANIC (-30795): "))
    #expect(LMDBError(12345).name == "errno 12345")
  }

  /// A child that runs another program must not inherit the files.
  #if os(Linux)
    @Test func filesAreClosedOnExec() throws {
      let store = try folder.open()
      try store.setObject(text("value"), forKey: "key")
      var found = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        guard let descriptor = Int32(name),
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
          target.hasPrefix(store.path + "/")
        else { continue }
        found += 1
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
      }
      #expect(found >= 2)
    }
  #endif
}
