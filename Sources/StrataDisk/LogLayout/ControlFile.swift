#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// What all processes that use a log share: its lock, and where it begins and ends.
///
/// One page of memory, mapped from the file `control`. It only says what the segments say too, so that nobody need
/// look: it is made anew from them when it is missing, damaged, copied from elsewhere, or from before the machine was
/// started.
///
/// | bytes   | what                                                                                        |
/// |---------|---------------------------------------------------------------------------------------------|
/// | 0–7     | magic and version: "StrCtl" and 1                                                           |
/// | 8–15    | identity: the XXH64 of the boot of the machine, the device and the inode of the file        |
/// | 16–31   | secret of the folder                                                                        |
/// | 32–39   | generation: another number whenever it was made anew                                        |
/// | 40–47   | the XXH64 of the boot of the machine in which it was made anew; 0 in those of older versions |
/// | 64–71   | tail: where the next record goes                                                            |
/// | 72–79   | number of the oldest segment                                                                |
/// | 80–87   | bytes of all segments                                                                       |
/// | 88–95   | bytes of all values that are files of their own                                             |
/// | 96–103  | how far the oldest segment has been emptied                                                 |
/// | 104–111 | checksum: the XXH64 of bytes 0–103                                                          |
/// | 112–119 | 1 while somebody changes the log; if nobody has the lock then, whoever did died half-way    |
/// | 128–135 | the token of who has the lock; 0 if nobody has it                                           |
/// | 136–143 | 1 while somebody waits for the lock                                                         |
/// | 256–263 | 1 if somebody has written with `.power`: what that made stable must be so wherever it moves |
/// | 264–271 | the tail as it was when the file was made anew; 0 in those of older versions                |
///
/// Unchecked: the memory is only touched through atomics, and stays mapped until this object goes.
final class ControlFile: @unchecked Sendable {
  static let size = 4096
  static let magic: UInt64 = 0x0001_6C74_4372_7453

  /// Whether the file cannot be written, so that nothing can.
  let isReadOnly: Bool
  let file: File?
  /// By which others know who has the lock; `nil` if this system has no locks on single bytes.
  let token: UInt64?
  let path: String
  /// Which file it is.
  private let inode: [UInt64]
  /// `Forks.count` of the process that opened it.
  private let forks = Forks.count
  /// The descriptors that no child is to keep.
  private let guarded: [CInt]
  /// The folder, to be locked; `nil` if the log is only read.
  let place: File?
  /// Whether the folder is locked. For whoever has the lock of the log.
  let holdsPlace = Atomic(false)
  /// For whom the file cannot be written: what others make of it.
  let watched: WatchedControl?
  private let memory: UnsafeMutableRawPointer
  private let words: UnsafeMutablePointer<Atomic<UInt64>>

  enum Word: Int {
    case magic, identity, secretLow, secretHigh, generation, boot
    case tail = 8
    case oldest, logBytes, fileBytes, emptied, checksum, changing
    case owner = 16
    case waiting
    case stable = 32
    case takenOver
  }

  /// Opens the file, and makes it where it is missing.
  ///
  /// Where it cannot be written, what is changed in it stays in this process.
  init(in folder: EntryFolder) throws {
    path = folder.path(of: EntryName.control)
    if let shared = try Self.openShared(path) {
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
      file = try Self.openReadable(path)
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
  }

  deinit {
    munmap(memory, Self.size)
    guarded.forEach(Forks.release)
  }

  /// The file, and its memory; `nil` if it may not be written.
  ///
  /// They are opened apart: memory that a forked child inherits keeps the file open that it was mapped from, with its
  /// locks.
  private static func openShared(_ path: String) throws -> Shared? {
    while let file = try openWritable(path) {
      guard let mapped = try openWritable(path) else { return nil }
      // Somebody may have put another file in its place between the two calls.
      let status = try mapped.status()
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
    guard status.isRegular else { throw status.flaw }
    if status.size != size { try file.truncate(to: size) }
    // A page without a place on the disk could not be written when the disk is full, and the system would end the
    // process.
    if status.size != size || status.isSparse { try file.allocate(size) }
    return try file.map(size, isShared: true)
  }

  /// The file, unless it may not be written.
  private static func openWritable(_ path: String) throws -> File? {
    do throws(SystemError) {
      return try File(path, O_RDWR | O_CREAT)
    } catch let error where error.code == EROFS || error.code == EACCES {
      return nil
    } catch {
      if let status = try FileStatus(of: path), !status.isRegular { throw status.flaw }
      throw error
    }
  }

  /// The file, if there is one.
  private static func openReadable(_ path: String) throws(SystemError) -> File? {
    do throws(SystemError) {
      return try File(path, O_RDONLY)
    } catch let error where error.code == ENOENT {
      return nil
    }
  }

  /// Whether the path still leads to the file: not if somebody deleted or moved it, or a folder above it.
  ///
  /// Unless the folder is locked (`holdPlace`), the answer may be wrong as soon as it is given.
  func isInPlace() throws(SystemError) -> Bool {
    if file == nil { return true }
    return try FileStatus(of: path)?.identity == inode
  }

  /// Whether this is a child of the process that opened it: it has no part in the lock.
  var isInherited: Bool { Forks.count != forks }

  func load(_ word: Word) -> UInt64 { words[word.rawValue].load(ordering: .acquiring) }
  func store(_ value: UInt64, _ word: Word) {
    words[word.rawValue].store(value, ordering: .releasing)
  }
  /// Puts a value in place of another, unless something else stands there.
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
    // A file that somebody deleted, and that was not counted, is subtracted when its record goes.
    set { store(UInt64(max(0, newValue)), .fileBytes) }
  }
  var emptied: Int {
    get { Int(truncatingIfNeeded: load(.emptied)) }
    set { store(UInt64(newValue), .emptied) }
  }
  var span: LogSpan { LogSpan(oldest: oldest, newest: tail.segment) }

  /// Whether what is moved must be on stable storage before its old place is given back, since somebody has been
  /// promised that.
  var keepsStable: Bool { load(.stable) != 0 }

  /// Says so, for all who come later too.
  func promiseStable() throws(SystemError) {
    if isReadOnly || keepsStable { return }
    store(1, .stable)
    try file?.sync()
  }

  /// Says that the log is being changed. Only who has the lock may.
  func beginChange() { store(1, .changing) }

  /// Says that what stands here belongs together.
  func seal() { store(checksum, .checksum) }

  /// Says that the log is whole again.
  func endChange() { store(0, .changing) }

  /// Whether somebody died while changing the log. Only who has the lock can tell.
  var isHalfChanged: Bool { load(.changing) != 0 }

  /// Whether all that stands here can be believed, as far as can be told without looking at the segments. Only who has
  /// the lock can tell.
  func isSound() throws(SystemError) -> Bool {
    guard isUndamaged, load(.magic) == Self.magic else { return false }
    return load(.identity) == (try identity())
  }

  /// Whether it was made anew before the machine was started.
  func isOfAnEarlierBoot() throws(SystemError) -> Bool {
    let boot = load(.boot)
    if boot == 0 { return false }
    return boot != Self.hash(try Boot.identity)
  }

  /// Whether this is what was written last, and all of it.
  var isUndamaged: Bool { load(.checksum) == checksum }

  /// Makes the contents anew. It is still to be said that the log is whole: only who has seen to the rest can.
  func reset(secret: Secret, tail: LogPosition, oldest: Int, logBytes: Int, fileBytes: Int)
    throws(SystemError)
  {
    beginChange()
    // First, so that nobody takes a step by numbers that are not those it knows.
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
    store(Self.magic, .magic)
    seal()
    watched?.detach()
  }

  /// Lets all who use the log, also this process, open it anew: something is not as they know it.
  func renew() {
    store(.random(in: 1 ... .max), .generation)
    seal()
  }

  private var checksum: UInt64 { Self.checksum(words) }

  static func checksum(_ words: UnsafeMutablePointer<Atomic<UInt64>>) -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 13) { copy in
      for i in 0..<13 { copy[i] = words[i].load(ordering: .relaxed) }
      return XXH64.hash(UnsafeRawBufferPointer(copy))
    }
  }

  private static func hash(_ numbers: [UInt64]) -> UInt64 { numbers.withUnsafeBytes { XXH64.hash($0) } }

  private func identity() throws(SystemError) -> UInt64 { Self.identity(try Boot.identity, inode) }

  private static func identity(_ boot: [UInt64], _ inode: [UInt64]) -> UInt64 {
    hash(boot + inode)
  }
}
