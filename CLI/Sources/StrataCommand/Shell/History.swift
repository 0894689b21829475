#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The history of the shell: the last 1000 lines, kept in a file that only its owner can read.
struct History {
  private let path: String?
  private(set) var lines: [String]

  private static let most = 1000

  init(environment: [String: String]) {
    let folder =
      environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
      ?? environment["HOME"].map { $0 + "/.local/state" }
    path = folder.map { $0 + "/strata/history" }
    let data = path.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Adds a line, unless it repeats the last one.
  mutating func add(_ line: String) {
    if line != lines.last { lines.append(line) }
    lines = lines.suffix(Self.most)
  }

  /// Writes the history to its file.
  func save() throws(Failure) {
    guard let path else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: Paths.split(path).folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw Failure(.failed, "failed", "cannot keep the history: \(error)", place: path)
    }
  }
}
