#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore
import Synchronization

/// The state that all processes using a log share: its lock, and where it begins and ends.
///
/// One page of memory, mapped from the file `control`. The segments contain the same facts; the page saves reading
/// them. It is rebuilt from the segments when it is missing, damaged, copied from elsewhere, or from an earlier boot.
///
/// | bytes   | contents                                                                                    |
/// |---------|---------------------------------------------------------------------------------------------|
/// | 0–7     | magic and version: "StrCtl" and 1                                                           |
/// | 8–15    | identity: the XXH64 of the boot identity, the device and the inode of the file              |
/// | 16–31   | secret of the folder                                                                        |
/// | 32–39   | generation: a new number whenever the file is rebuilt                                       |
/// | 40–47   | the XXH64 of the identity of the boot in which it was rebuilt; 0 in files of older versions |
/// | 64–71   | tail: where the next record goes                                                            |
/// | 72–79   | number of the oldest segment                                                                |
/// | 80–87   | bytes of all segments                                                                       |
/// | 88–95   | bytes of all values that are files of their own                                             |
/// | 96–103  | how far the oldest segment has been emptied                                                 |
/// | 104–111 | checksum: the XXH64 of bytes 0–103                                                          |
/// | 112–119 | 1 while a process changes the log; if the lock is free then, that process died half-way     |
/// | 128–135 | the token of the lock's owner; 0 if the lock is free                                        |
/// | 136–143 | 1 while a process waits for the lock                                                        |
/// | 256–263 | 1 if a process has written with `.power`: then moved records must be made stable too        |
/// | 264–271 | the tail when the file was rebuilt; 0 in files of older versions                            |
/// | 272–279 | the inode of the file when it was rebuilt; 0 in files of older versions                     |
/// | 280–287 | 1 while a lost page is rebuilt: until then, value files that no record names are kept       |
/// | 288–295 | 1 if a file that no record names could not be deleted, since a `StoredFile` kept it         |
///
/// Unchecked `Sendable`: the memory is accessed only through atomics, and stays mapped until `deinit`. `sealed` is
/// accessed only by the thread that owns the lock of the log.
final class ControlFile: @unchecked Sendable {
  static let size = 4096
  static let magic: UInt64 = 0x0001_6C74_4372_7453
  /// The number of words under the checksum.
  static let sealedCount = 13

  /// Whether the file, and so the log, cannot be written.
  let isReadOnly: Bool
  let file: File?
  /// The value that identifies this store as the lock's owner; `nil` if this system has no locks on single bytes.
  let token: UInt64?
  let path: String
  /// The identity of the file: its device and inode.
  private let inode: [UInt64]
  /// The `Forks.count` of the process that opened the file.
  private let forks = Forks.count
  /// The descriptors that forked children must not keep.
  private let guarded: [CInt]
  /// The folder, opened so that it can be locked; `nil` if the log is read-only.
  let place: File?
  /// Whether the folder is locked. Only for the owner of the log's lock.
  let holdsPlace = Atomic(false)
  /// If the log is read-only, the file as other processes change it.
  let watched: WatchedControl?
  private let memory: UnsafeMutableRawPointer
  let words: UnsafeMutablePointer<Atomic<UInt64>>
  /// The words under the checksum, and the checksum, as this store has sealed them last. Only for the owner of the
  /// log's lock.
  let sealed: UnsafeMutablePointer<UInt64>

  enum Word: Int {
    case magic, identity, secretLow, secretHigh, generation, boot
    case tail = 8
    case oldest, logBytes, fileBytes, emptied, checksum, changing
    case owner = 16
    case waiting
    case stable = 32
    case takenOver, inode, keepsOrphans, held
  }

  /// Opens the file, and creates it if it is missing.
  ///
  /// If the file cannot be written, changes to the page stay private to this process.
  init(in folder: EntryFolder) throws {
    path = folder.path(of: EntryName.control)
    if !folder.isReadOnly, let shared = try Self.openShared(path) {
      memory = shared.memory
      token = try Self.token(on: shared.file)
      inode = shared.identity
      let folder = try Self.openFolder(folder)
      guarded = [shared.file.descriptor, folder.descriptor]
      guarded.forEach(Forks.guardDescriptor)
      file = (consume shared).file
      place = consume folder
      watched = nil
      isReadOnly = false
    } else {
      file = try File.existing(path)
      token = nil
      guarded = []
      place = nil
      let status = try file?.status()
      let isWhole = status?.size == Self.size
      memory = try (isWhole ? file?.map(Self.size, isShared: false) : nil) ?? File.memory(Self.size)
      inode = status?.identity ?? []
      watched = try WatchedControl(path, isWhole ? file?.readOnlyMap(Self.size) : nil)
      isReadOnly = true
    }
    words = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    sealed = .allocate(capacity: Self.sealedCount + 1)
    // No page has these words, so no page is taken for one that this store has sealed.
    sealed.initialize(repeating: .max, count: Self.sealedCount + 1)
  }

  deinit {
    sealed.deallocate()
    munmap(memory, Self.size)
    guarded.forEach(Forks.release)
  }

  /// Returns the file and its mapped memory; `nil` if the file may not be written.
  ///
  /// The two have separate descriptors: a forked child inherits the memory, which keeps its descriptor's file open, and
  /// so the locks of that descriptor.
  private static func openShared(_ path: String) throws -> Shared? {
    while let file = try openWritable(path) {
      guard let mapped = try openWritable(path) else { return nil }
      // Another process may have replaced the file between the two calls.
      let status = try mapped.regularStatus()
      if try status.identity == file.status().identity {
        return Shared(file: file, memory: try memory(of: mapped, status), identity: status.identity)
      }
    }
    return nil
  }

  private struct Shared: ~Copyable {
    let file: File
    let memory: UnsafeMutableRawPointer
    let identity: [UInt64]
  }

  private static func memory(of file: borrowing File, _ status: FileStatus) throws -> UnsafeMutableRawPointer
  {
    if status.size != size { try file.truncate(to: size) }
    // Writing a page without space on disk, when the disk is full, would kill the process. So the space is allocated.
    if status.size != size || status.isSparse { try file.allocate(size) }
    return try file.map(size, isShared: true)
  }

  /// Opens or creates the file; `nil` if it may not be written.
  private static func openWritable(_ path: String) throws -> File? {
    do {
      if let file = try File.regular(path, O_RDWR | O_CREAT) { return file }
    } catch let error as SystemError where error.code == EROFS || error.code == EACCES {
      return nil
    }
    // There is no folder.
    throw SystemError("open", path, ENOENT)
  }

  /// Returns whether the path still leads to the file. It does not if the file, or a folder above it, was deleted or
  /// moved.
  ///
  /// Unless the folder is locked (`holdPlace`), the answer may be outdated at once.
  func isInPlace() throws(SystemError) -> Bool {
    if file == nil { return true }
    return try FileStatus(of: path)?.identity == inode
  }

  /// Throws a `StaleSession` unless the path still leads to the file.
  func expectPlace() throws {
    if try !isInPlace() { throw StaleSession() }
  }

  /// Whether this is a forked child of the process that opened the file, which has no part in the lock.
  var isInherited: Bool { Forks.count != forks }

  func load(_ word: Word) -> UInt64 { words[word.rawValue].load(ordering: .acquiring) }
  func store(_ value: UInt64, _ word: Word) {
    words[word.rawValue].store(value, ordering: .releasing)
  }
  /// Replaces a word if it has an expected value; returns whether it had.
  func replace(_ old: UInt64, by new: UInt64, _ word: Word) -> Bool {
    words[word.rawValue].compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent)
      .exchanged
  }

  var generation: UInt64 { load(.generation) }
  var secret: Secret { Secret(low: load(.secretLow), high: load(.secretHigh)) }
  var tail: LogPosition {
    get { LogPosition(bits: load(.tail)) }
    set { store(newValue.bits, .tail) }
  }
  var oldest: Int {
    get { Int(truncatingIfNeeded: load(.oldest)) }
    set { store(UInt64(newValue), .oldest) }
  }
  var logBytes: Int {
    get { Int(truncatingIfNeeded: load(.logBytes)) }
    set { store(UInt64(max(0, newValue)), .logBytes) }
  }
  var fileBytes: Int {
    get { Int(truncatingIfNeeded: load(.fileBytes)) }
    // A deleted file that was not counted is still subtracted when its record is dropped.
    set { store(UInt64(max(0, newValue)), .fileBytes) }
  }
  var emptied: Int {
    get { Int(truncatingIfNeeded: load(.emptied)) }
    set { store(UInt64(newValue), .emptied) }
  }
  var span: LogSpan { LogSpan(oldest: oldest, newest: tail.segment) }

  /// Whether moved records must be on stable storage before their old segment is deleted, since a process has written
  /// with `.power`.
  var keepsStable: Bool { load(.stable) != 0 }

  /// Sets `keepsStable`, for all processes and later openings.
  func promiseStable() throws(SystemError) {
    if isReadOnly || keepsStable { return }
    store(1, .stable)
    try file?.sync()
  }

  /// Sets the flag that the log is being changed. Only for the lock's owner.
  func beginChange() { store(1, .changing) }

  /// Clears the flag that the log is being changed.
  func endChange() { store(0, .changing) }

  /// Whether the file is a copy that was not opened yet: its page is as old as the copied segments. A loss of power, in
  /// contrast, leaves the file in place with a page that may be older than the segments.
  var isCopied: Bool { load(.inode) != 0 && load(.inode) != inode.last }

  /// Whether a process died while changing the log. Only for the lock's owner.
  var isHalfChanged: Bool { load(.changing) != 0 }

  /// Returns whether the page can be trusted, without reading the segments. Only for the lock's owner.
  func isSound() throws(SystemError) -> Bool {
    guard isUndamaged, load(.magic) == Self.magic else { return false }
    return load(.identity) == (try identity())
  }

  /// Returns whether the page was rebuilt in an earlier boot.
  func isOfAnEarlierBoot() throws(SystemError) -> Bool {
    let boot = load(.boot)
    if boot == 0 { return false }
    return boot != Self.hash(try Boot.identity)
  }

  /// Rebuilds the page. The flag of a change stays set; the caller clears it after repairing the rest.
  func reset(secret: Secret, tail: LogPosition, oldest: Int, logBytes: Int, fileBytes: Int)
    throws(SystemError)
  {
    beginChange()
    // First, so that no other process acts on numbers that do not match its session.
    store(.random(in: 1 ... .max), .generation)
    store(secret.low, .secretLow)
    store(secret.high, .secretHigh)
    self.oldest = oldest
    self.tail = tail
    store(tail.bits, .takenOver)
    self.logBytes = logBytes
    self.fileBytes = fileBytes
    emptied = 0
    let boot = try Boot.identity
    store(Self.hash(boot), .boot)
    store(Self.identity(boot, inode), .identity)
    store(inode.last ?? 0, .inode)
    store(Self.magic, .magic)
    seal()
    watched?.detach()
  }

  /// Makes all processes that use the log, including this one, open it again, since their sessions are outdated.
  func renew() {
    store(.random(in: 1 ... .max), .generation)
    seal()
  }

  private static func hash(_ numbers: [UInt64]) -> UInt64 { numbers.withUnsafeBytes { XXH64.hash($0) } }

  private func identity() throws(SystemError) -> UInt64 { Self.identity(try Boot.identity, inode) }

  private static func identity(_ boot: [UInt64], _ inode: [UInt64]) -> UInt64 {
    hash(boot + inode)
  }
}
