import Foundation

/// A terminal on which the command runs, as a person would see it.
final class PseudoTerminal {
  private let master: FileHandle
  private let process = Process()
  /// Everything that the terminal showed.
  private(set) var screen = ""

  /// Starts the command on a new terminal.
  init(_ strata: Strata, _ words: [String]) throws {
    let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
    guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor)
    else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let slave = open(String(cString: name), O_RDWR | O_NOCTTY)
    guard slave >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    var size = winsize(ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.executableURL = Strata.folder.appending(path: "strata")
    process.arguments = words
    process.currentDirectoryURL = strata.place
    process.environment = strata.variables
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    try handle.close()
  }

  /// Types text.
  func type(_ text: String) throws { try master.write(contentsOf: Data(text.utf8)) }

  func interrupt() { process.interrupt() }

  /// Waits until the terminal has shown a text; `false` if the command ends, or 20 seconds pass, before it does.
  @discardableResult
  func wait(for text: String) -> Bool {
    let end = Date().addingTimeInterval(20)
    while !screen.contains(text) {
      guard Date() < end, read() else { return screen.contains(text) }
    }
    return true
  }

  /// Waits for the end, and returns the status and everything that the terminal showed.
  func finish() -> (status: Int32, screen: String) {
    let end = Date().addingTimeInterval(20)
    while Date() < end, read() {}
    if Date() >= end { process.terminate() }
    process.waitUntilExit()
    return (process.terminationStatus, screen)
  }

  /// Takes what is there, or comes within a second; `false` after the end.
  private func read() -> Bool {
    var ready = pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 1000) > 0 else { return process.isRunning }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master.fileDescriptor, &bytes, bytes.count)
    // The last process that has the terminal open has ended.
    if count <= 0 { return false }
    screen += String(decoding: bytes[..<count], as: UTF8.self)
    return true
  }
}
