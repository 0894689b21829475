#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import StrataCore

/// Leases of keys among the processes of one machine, by locks on a file beside a store.
///
/// A lock ends with its process, so the lease of a killed process can be acquired at once. A stopped process keeps its
/// lock but does not extend its lease: when the lease ends, another process acquires it, and writes under the old one
/// are refused.
///
/// Each key has one of 2¹⁸ slots, chosen by its hash. Two keys with the same slot wait for each other needlessly. The
/// file is up to 8 MB long, and only slots that were used take space on the disk.
package final class FileLeases<Key: StorageKey>: StorageLeasing {
  private let path: @Sendable () throws -> String
  private let scope: String
  private let now: @Sendable () -> UInt64
  /// The files of the leases that this object has granted, each with its locks.
  private let held = Locked<[UInt64: LeaseFile]>([:])

  /// - Parameters:
  ///   - path: the path of the file, which the first lease creates.
  ///   - scope: distinguishes the keys of this store from the keys of other stores with the same file.
  ///   - now: returns the nanoseconds of a clock that all processes share.
  package init(
    scope: String = "", now: @escaping @Sendable () -> UInt64 = { monotonicNanoseconds() },
    path: @escaping @Sendable () throws -> String
  ) {
    self.path = path
    self.scope = scope
    self.now = now
  }

  package func acquire(_ key: Key, for time: Duration) async throws -> StorageLease? {
    let file = try LeaseFile(path(), place: place(of: key))
    let token = UInt64.random(in: 1 ... .max)
    guard try file.take(token, at: now(), for: time.nanoseconds) else { return nil }
    held.withLock { $0[token] = file }
    return StorageLease(token: token, issuer: self) { try file.read().owner == token }
  }

  package func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool {
    guard let file = held.withLock({ $0[lease.token] }) else { return false }
    return try file.extend(lease.token, to: now() + time.nanoseconds)
  }

  package func release(_ lease: StorageLease, of key: Key) async throws {
    try held.withLock { $0.removeValue(forKey: lease.token) }?.leave(lease.token)
  }

  /// Returns a hash that is the same in all processes.
  private func place(of key: Key) -> UInt64 {
    let hash = fnv1a(scope.utf8 + [0] + key.storageKey.canonicalUTF8)
    return (hash ^ hash >> 32) % LeaseFile.places
  }
}

extension Duration {
  fileprivate var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}

/// One slot of a file of leases. The file is opened once per attempt to acquire a lease: locks belong to the open file
/// and not to the process, so two attempts of one process exclude each other too.
///
/// A slot has 32 bytes: the token of the owner, the end of the lease, and whether it was taken over from an owner that
/// still has the lock. They are changed only under a separate lock, which is held for microseconds.
final class LeaseFile: Sendable {
  /// The contents of a slot.
  struct Record: Equatable {
    var owner: UInt64 = 0
    var end: UInt64 = 0
    var isTakenOver = false
  }

  static let places: UInt64 = 1 << 18
  private static let size = 32

  private let descriptor: CInt
  private let path: String
  private let place: UInt64

  init(_ path: String, place: UInt64) throws {
    self.path = path
    self.place = place
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw Self.failure("opened", path) }
  }

  /// Closing the file releases its locks.
  deinit { close(descriptor) }

  /// Acquires the lease for a token if no other token has it. Returns whether it was acquired.
  func take(_ token: UInt64, at now: UInt64, for time: UInt64) throws -> Bool {
    try changing { record in
      let isLocked = try lock(.owner)
      let lasts =
        record.owner != 0 && record.end > now && record.end - now <= max(10 * time, 3_600_000_000_000)
      // An owner that took the lease over from a stopped process does not have the lock.
      if isLocked ? record.isTakenOver && lasts : lasts {
        if isLocked { try unlock(.owner) }
        return false
      }
      record = Record(owner: token, end: now + time, isTakenOver: !isLocked)
      return true
    } ?? false
  }

  /// Changes the end of a lease. Returns whether the token still owns the lease.
  func extend(_ token: UInt64, to end: UInt64) throws -> Bool {
    // If another process is reading the slot at this moment, the next extension succeeds early enough.
    try changing { record in
      guard record.owner == token else { return false }
      record.end = end
      return true
    } ?? true
  }

  /// Ends a lease, if the token still owns it.
  func leave(_ token: UInt64) throws {
    _ = try changing { record in
      if record.owner == token { record = Record() }
      return true
    }
    try unlock(.owner)
  }

  /// Reads the contents of the slot.
  func read() throws -> Record {
    var words: [UInt64] = [0, 0, 0]
    let count = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
    if count < 0 { throw Self.failure("read", path) }
    return count < 24 ? Record() : Record(owner: words[0], end: words[1], isTakenOver: words[2] != 0)
  }

  private var offset: off_t { off_t(place) * off_t(Self.size) }

  /// Changes the contents of the slot. Returns `nil` if another process is changing them.
  private func changing(_ change: (inout Record) throws -> Bool) throws -> Bool? {
    // The lock is held for microseconds, so the number of attempts is limited: its holder may have been stopped.
    for _ in 0..<50 where try lock(.record) {
      defer { do { try unlock(.record) } catch { assertionFailure("\(error)") } }
      let old = try read()
      var record = old
      let result = try change(&record)
      if record != old {
        let words = [record.owner, record.end, record.isTakenOver ? 1 : 0]
        let count = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
        if count < 24 { throw Self.failure("written", path) }
      }
      return result
    }
    return nil
  }

  // MARK: Locks

  /// The bytes that a lock covers, far behind the end of the file.
  private enum Range: off_t {
    case owner = 0x10_0000_0000
    case record = 0x20_0000_0000
  }

  private func lock(_ range: Range) throws -> Bool {
    if set(F_WRLCK, range) { return true }
    if errno == EAGAIN || errno == EACCES { return false }
    throw Self.failure("locked", path)
  }

  private func unlock(_ range: Range) throws {
    if !set(F_UNLCK, range) { throw Self.failure("unlocked", path) }
  }

  private func set(_ type: some BinaryInteger, _ range: Range) -> Bool {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = range.rawValue + off_t(place)
    lock.l_len = 1
    return fcntl(descriptor, Self.setLock, &lock) == 0
  }

  /// The command that sets a lock of an open file. Not all headers declare it.
  private static let setLock: CInt = {
    #if canImport(Darwin)
      90
    #else
      37
    #endif
  }()

  private static func failure(_ what: String, _ path: String) -> StorageError {
    StorageError.backendFailed.with(
      "the lease file cannot be \(what): \(systemReason(errno))", place: path)
  }
}
