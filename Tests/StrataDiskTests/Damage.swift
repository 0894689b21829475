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
import Testing

/// A kind of damage to a file.
enum Damage: Hashable, CustomTestStringConvertible {
  case cut(to: Int)
  case flipped(bit: Int)
  case appended(Int)
  case foreign(Int)
  case otherKeysFile
  case folder
  case folderWithFiles
  case link
  case linkToNowhere
  case linkToItself
  case fifo
  case socket

  /// The kinds of damage that can be done to a file of any length.
  static let kinds: [Damage] = [
    .cut(to: 0), .cut(to: 63), .cut(to: 70), .flipped(bit: 0), .flipped(bit: 8 * 8), .flipped(bit: 40 * 8),
    .appended(1), .appended(5000), .foreign(10), .foreign(100), .foreign(10_000), .otherKeysFile, .folder,
    .folderWithFiles, .link, .linkToNowhere, .linkToItself, .fifo, .socket,
  ]

  var testDescription: String { "\(self)" }

  /// Damages a file. `other` is the file of another key.
  func strike(_ file: URL, other: URL) throws {
    var bytes = try Data(contentsOf: file)
    let good = bytes
    switch self {
    case .cut(let count): bytes = bytes.prefix(count)
    case .flipped(let bit): bytes[bit / 8] ^= 1 << (bit % 8)
    case .appended(let count): bytes.append(contentsOf: repeatElement(0, count: count))
    case .foreign(let count): bytes = StrataDiskTests.bytes(count)
    case .otherKeysFile: bytes = try Data(contentsOf: other)
    default: break
    }
    try FileManager.default.removeItem(at: file)
    switch self {
    case .cut, .flipped, .appended, .foreign, .otherKeysFile: try bytes.write(to: file)
    case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    case .folderWithFiles:
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      try good.write(to: file.appending(path: file.lastPathComponent))
    case .link:
      // The target is a copy of the good file, so following the symlink would find a valid entry.
      let target = file.deletingLastPathComponent().appending(path: "target")
      try good.write(to: target)
      try call("symlink", symlink(target.path, file.path))
    case .linkToNowhere: try call("symlink", symlink("/nowhere/at all", file.path))
    case .linkToItself: try call("symlink", symlink(file.path, file.path))
    case .fifo: try call("mkfifo", mkfifo(file.path, 0o600))
    case .socket: try call("mknod", mknod(file.path, S_IFSOCK | 0o600, 0))
    }
  }
}

/// The error for a system call that fails in a test's setup.
struct CallFailed: Error {
  let call: String
  let code = errno
}

func call(_ name: String, _ result: CInt) throws {
  if result == -1 { throw CallFailed(call: name) }
}

extension FileManager {
  /// Moves a file, atomically replacing another.
  func moveOver(_ file: URL, to place: URL) throws { try call("rename", rename(file.path, place.path)) }
}
