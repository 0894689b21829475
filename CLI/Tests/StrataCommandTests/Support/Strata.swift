import Foundation

/// The executable, as the tests start it.
struct Strata {
  /// What a command did.
  struct Result {
    let status: Int32
    let bytes: Data
    let errors: String

    var output: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The folder of the executables, beside that of the tests.
  static let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  let place: URL
  var environment: [String: String] = [:]

  /// Runs a command in the test's folder. It has to end within 20 seconds.
  @discardableResult
  func callAsFunction(_ words: String..., input: String = "", file: String = #file) throws -> Result {
    try run(words, input: Data(input.utf8))
  }

  func run(_ words: [String], input: Data = Data()) throws -> Result {
    try Self.run(Self.folder.appending(path: "strata"), words, input: input, in: place, variables)
  }

  /// Runs a line of bash, in which `strata` is the command.
  func bash(_ line: String) throws -> Result {
    try Self.run(URL(filePath: "/bin/bash"), ["-c", line], input: Data(), in: place, variables)
  }

  var variables: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return [
      "PATH": "\(Self.folder.path):\(path)", "HOME": place.path, "TERM": "xterm", "LC_ALL": "C.UTF-8",
    ].merging(environment) { $1 }
  }

  private static func run(
    _ program: URL, _ words: [String], input: Data, in place: URL, _ environment: [String: String]
  ) throws -> Result {
    // Files, since a full pipe would have to be read while the process runs.
    let files = ["in", "out", "err"].map { place.appending(path: ".std\($0)-\(UUID().uuidString)") }
    defer { for file in files { unlink(file.path) } }
    try input.write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let child = try Child(
      [program.path] + words, in: place.path, environment,
      files: files.enumerated().map { ($1.path, $0 == 0 ? O_RDONLY : O_WRONLY) })
    return Result(
      status: child.wait(),
      bytes: try Data(contentsOf: files[1]),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }
}

/// Runs a test in a folder of its own, which is deleted afterwards.
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
