import Foundation

/// The executable in a test's own folder and environment. Calling the value runs a command.
struct Strata {
  /// The exit status and the output of a command.
  struct Result {
    let status: Int32
    let bytes: Data
    let errors: String

    var output: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The folder of the built executables and of the test bundle.
  static let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  let place: URL
  var environment: [String: String] = [:]

  /// Runs a command in the test's folder, with a text as its standard input.
  @discardableResult
  func callAsFunction(_ words: String..., input: String = "", file: String = #file) throws -> Result {
    try run(words, input: Data(input.utf8))
  }

  func run(_ words: [String], input: Data = Data()) throws -> Result {
    let file = place.appending(path: ".stdin-\(UUID().uuidString)")
    try input.write(to: file)
    defer { unlink(file.path) }
    return try start(words, input: file).finish()
  }

  /// Starts the command, or another program, with a file as its standard input.
  func start(
    program: String = folder.appending(path: "strata").path, _ words: [String], input: URL
  ) throws -> Running {
    // The output goes to files: a full pipe would block the program until the test reads it.
    let files = ["out", "err"].map { place.appending(path: ".std\($0)-\(UUID().uuidString)") }
    for file in files { try Data().write(to: file) }
    let child = try Child(
      [program] + words, in: place.path, variables,
      files: [(input.path, O_RDONLY)] + files.map { ($0.path, O_WRONLY) })
    return Running(child: child, output: files[0], errors: files[1])
  }

  /// Runs a line of bash. Its `strata` is the executable.
  func bash(_ line: String) throws -> Result {
    try start(program: "/bin/bash", ["-c", line], input: URL(filePath: "/dev/null")).finish()
  }

  var variables: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return [
      "PATH": "\(Self.folder.path):\(path)", "HOME": place.path, "TERM": "xterm", "LC_ALL": "C.UTF-8",
    ].merging(environment) { $1 }
  }
}

/// A running command.
struct Running {
  let child: Child
  let output: URL
  let errors: URL

  /// Waits for the end of the command, and returns its status and output.
  func finish() throws -> Strata.Result {
    let status = child.wait()
    defer { for file in [output, errors] { unlink(file.path) } }
    return Strata.Result(
      status: status, bytes: try Data(contentsOf: output),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// Runs a test in a new folder, and deletes the folder afterwards.
func inFolder<R>(_ body: (Strata) async throws -> R) async throws -> R {
  let place = FileManager.default.temporaryDirectory.appending(path: "strata-cli-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  let strata = Strata(place: place.resolvingSymlinksInPath())
  do {
    let result = try await body(strata)
    try FileManager.default.removeItem(at: place)
    return result
  } catch {
    try FileManager.default.removeItem(at: place)
    throw error
  }
}
