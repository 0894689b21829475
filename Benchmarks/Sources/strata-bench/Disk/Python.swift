import Foundation

/// A Python interpreter that has diskcache.
struct Python: Sendable {
  private let path: String

  /// Returns the machine's Python if diskcache is installed for it. Otherwise installs diskcache with pip in a separate
  /// folder. Throws if neither is possible.
  static func withDiskcache(in folder: URL) throws -> Python {
    let own = Python(path: "python3")
    do {
      try own.check()
      return own
    } catch {
      let place = folder.appending(path: "python").path
      try own.run(["-m", "venv", place])
      let made = Python(path: "\(place)/bin/python")
      try made.run(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "diskcache"])
      try made.check()
      return made
    }
  }

  private func check() throws { try run(["-c", "import diskcache"]) }

  /// Returns a program's output, including standard error.
  @discardableResult
  func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [path] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    if process.terminationStatus != 0 {
      // The last line states the reason.
      throw Failure("\(path) failed: \(text.split(separator: "\n").last ?? "no output")")
    }
    return text
  }
}
