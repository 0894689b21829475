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

/// The entries that are stored before writes fail.
private let stored = Dictionary(
  uniqueKeysWithValues: (0..<20).map { ("stored \($0)", bytes(1000, seed: $0)) })

extension Trial {
  // Simulates a full disk for one process, by a limit on the size of its files.
  func fullDisk() async throws {
    try await fill()
    var expected = stored
    try await withChild { child in
      try await child.ready()
      while true {
        switch try await child.report() {
        case .acknowledged(_, let step): expected[Self.large[step]] = large(step)
        case .done: return
        case let report: throw broken("the process ended, and reported \(String(describing: report))")
        }
      }
    }
    let store = try await open()
    for (key, value) in expected {
      try await expect(value, at: key, in: store, "opened again when there is room")
    }
    try await store.setObject(large(0), forKey: "stored 0", expiry: nil)
    try await expect(large(0), at: "stored 0", in: store, "written when there is room again")
  }

  /// The maximum size of a file.
  private static let limit = 2 << 20
  /// The keys of values that are too large for one file. A store with many files may have space for some of them.
  private static let large = (0..<8).map { "large \($0)" } + ["stored 1"]
  private func large(_ step: Int) -> Data { bytes(size(2 * Self.limit), seed: step) }

  private func fill() async throws {
    let store = try await open()
    try await store.setObjects(stored, expiry: nil)
  }

  /// Runs in the child: fills the store until writes fail.
  func fillDisk(_ parent: Line) async throws {
    signal(SIGXFSZ, SIG_IGN)
    try limitFiles(to: Self.limit)
    try parent.send(Report.ready)
    let store: Store
    // A store may also refuse to open without space.
    do { store = try await open() } catch { return }
    var expected = stored
    for (step, key) in Self.large.enumerated() {
      var circumstances = "after a write that did not throw"
      do {
        try await store.setObject(large(step), forKey: key, expiry: nil)
        expected[key] = large(step)
      } catch { circumstances = "after a write threw \(error)" }
      try await expect(expected[key], at: key, in: store, circumstances)
      if expected[key] == large(step) { try parent.send(Report.acknowledged(task: 0, step: step)) }
    }
    try await failBatch(in: store)
    for (key, value) in expected {
      try await expect(value, at: key, in: store, "when there was no room for another")
    }
  }

  /// Limits the length of the files that this process writes. A signal for a longer write leaves no core file.
  func limitFiles(to bytes: Int) throws {
    var files = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    var core = rlimit(rlim_cur: 0, rlim_max: 0)
    #if os(Linux)
      let status =
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &files)
        | setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
    #else
      let status = setrlimit(RLIMIT_FSIZE, &files) | setrlimit(RLIMIT_CORE, &core)
    #endif
    guard status == 0 else { throw CannotCheck("setrlimit: errno \(errno)") }
  }

  private func failBatch(in store: Store) async throws {
    for batch in batches(of: (0..<9).map { "batch \($0)" }, withLarge: large(10)) {
      do { return try await store.setObjects(batch, expiry: nil) } catch {
        guard !subject.except.contains(.atomicBatches) else { return }
        for key in batch.keys { try await expect(nil, at: key, in: store, "after a batch threw \(error)") }
      }
    }
  }

  func readOnlyFolder() async throws {
    try await fill()
    try setWritable(false)
    do {
      // Makes the folder writable again in any case, so that it can be removed.
      defer { do { try setWritable(true) } catch { print("cannot make \(folder) writable: \(error)") } }
      try await withChild { child in
        try await child.ready()
        switch try await child.report() {
        case .done: break
        case let report: throw broken("the process ended, and reported \(String(describing: report))")
        }
      }
    }
    let store = try await open()
    for (key, value) in stored {
      try await expect(value, at: key, in: store, "when the folder is writable again")
    }
    try await expectKeys(stored.keys, in: store, "when the folder is writable again")
    try await store.setObject(text("new"), forKey: "stored 1", expiry: nil)
    try await expect(text("new"), at: "stored 1", in: store, "written when the folder is writable again")
  }

  private func setWritable(_ isWritable: Bool) throws {
    var paths = [folder.path]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      paths.append("\(folder.path)/\(name)")
    }
    // Paths are sorted, so that a folder is made accessible before its contents.
    for path in paths.sorted() {
      var status = stat()
      guard lstat(path, &status) == 0 else { throw CannotCheck("stat \(path): errno \(errno)") }
      // After giving up a superuser's rights, the process must be able to read everything, including folders that only
      // their owner could read.
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let mode =
        isWritable ? status.st_mode | 0o200 : status.st_mode & ~0o222 | (isFolder ? 0o555 : 0o444)
      guard chmod(path, mode & 0o7777) == 0 else { throw CannotCheck("chmod \(path): errno \(errno)") }
    }
  }

  /// Runs in the child: tries to write without write permission.
  func tryReadOnlyFolder(_ parent: Line) async throws {
    try giveUpRights()
    try parent.send(Report.ready)
    let store: Store
    // A store may also refuse to open, since it then reports no entry absent.
    do { store = try await open() } catch { return }
    for (key, value) in stored { try await expectValueOrError(value, at: key, in: store) }
    try await expectKeysOrError(in: store)
    try await expectRefusal("setObject") {
      try await store.setObject(text("new"), forKey: "new", expiry: nil)
    }
    try await expectRefusal("an overwrite") {
      try await store.setObject(text("new"), forKey: "stored 1", expiry: nil)
    }
    try await expectRefusal("setObjects") {
      try await store.setObjects(["stored 2": text("new")], expiry: nil)
    }
    try await expectRefusal("removeObject") { try await store.removeObject(forKey: "stored 3") }
    try await expectRefusal("removeObjects") { try await store.removeObjects(forKeys: ["stored 4"]) }
    try await expectRefusal("removeAll") { try await store.removeAll() }
    for (key, value) in stored { try await expectValueOrError(value, at: key, in: store) }
  }

  /// Gives up a superuser's rights, since nothing is read-only to a superuser.
  private func giveUpRights() throws {
    guard geteuid() == 0 else { return }
    // The number of the user and group "nobody" on Linux.
    guard setgid(65534) == 0, setuid(65534) == 0 else { throw CannotCheck("setuid: errno \(errno)") }
    guard access(folder.path, R_OK) == 0 else {
      throw CannotCheck(
        "without a superuser's rights, \(folder.path) cannot be read at all: set TMPDIR to a place of all users"
      )
    }
  }

  private func expectKeysOrError(in store: Store) async throws {
    let keys: [String]
    do { keys = try await store.keys() } catch { return }
    try expect(
      Set(keys) == Set(stored.keys),
      "in a folder that cannot be written, keys() lists \(keys.count) of \(stored.count) keys")
  }

  private func expectRefusal(_ operation: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch { return }
    throw broken("in a folder that cannot be written, \(operation) did not throw")
  }

  private func expectValueOrError(_ value: Data, at key: String, in store: Store) async throws {
    let found: Data?
    do { found = try await store.entryIfPresent(forKey: key)?.object } catch { return }
    try expect(found, value, "entryIfPresent", key, "in a folder that cannot be written")
  }
}
