import Foundation

/// A terminal on which a test runs the command, types, and reads the screen.
final class PseudoTerminal {
  private let master: FileHandle
  private let child: Child
  /// Everything that was printed on the terminal.
  private(set) var screen = ""
  /// The end of the last text that `wait(for:)` has found.
  private var seen = "".startIndex

  /// Starts the command, or another program, on a new terminal.
  init(_ strata: Strata, program: String = "strata", _ words: [String]) throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let name = try Self.name(ofTerminal: descriptor)
    // The slave is kept open until the program has opened it: a terminal ends when no process has it open.
    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(slave) }
    var size = winsize(ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    child = try Child(
      [program] + words, in: strata.place.path, strata.variables,
      files: Array(repeating: (name, O_RDWR), count: 3), isSession: true)
  }

  /// Unlocks the other end of a terminal and returns its path.
  private static func name(ofTerminal descriptor: CInt) throws -> String {
    #if canImport(Darwin)
      guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      return String(cString: name)
    #else
      // Glibc hides its functions for this from Swift, so these are their system calls, TIOCSPTLCK and TIOCGPTN.
      var (lock, number): (CInt, CInt) = (0, 0)
      guard ioctl(descriptor, 0x4004_5431, &lock) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      return "/dev/pts/\(number)"
    #endif
  }

  /// Sends text to the program as if it were typed.
  func type(_ text: String) throws { try master.write(contentsOf: Data(text.utf8)) }

  func interrupt() { child.send(SIGINT) }

  /// Waits until a text was printed after the text of the last wait. Returns `false` if the program ends first, and
  /// after 20 seconds.
  @discardableResult
  func wait(for text: String) -> Bool {
    let end = Date().addingTimeInterval(20)
    while true {
      if let range = screen[seen...].range(of: text) {
        seen = range.upperBound
        return true
      }
      guard Date() < end, read() else { return false }
    }
  }

  /// Waits for the end of the program, and returns its status and everything it printed. Kills it after 20 seconds.
  func finish() -> (status: CInt, screen: String) {
    let end = Date().addingTimeInterval(20)
    while Date() < end, read() {}
    if Date() >= end { child.send(SIGKILL) }
    return (child.wait(), screen)
  }

  /// Closes the terminal. Returns whether the program then ends within 20 seconds, and kills it if not.
  func hangUp() throws -> Bool {
    try master.close()
    let end = Date().addingTimeInterval(20)
    while Date() < end {
      if child.hasEnded() { return true }
      usleep(10_000)
    }
    child.send(SIGKILL)
    _ = child.wait()
    return false
  }

  /// Adds the program's output so far, or within the next second, to `screen`. Returns `false` if the program has
  /// ended.
  private func read() -> Bool {
    var ready = pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 1000) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master.fileDescriptor, &bytes, bytes.count)
    // An error or an end means that no process has the terminal open any more.
    if count <= 0 { return false }
    let offset = screen.utf8.distance(from: screen.startIndex, to: seen)
    defer { seen = screen.utf8.index(screen.startIndex, offsetBy: offset) }
    screen += String(decoding: bytes[..<count], as: UTF8.self)
    return true
  }
}
