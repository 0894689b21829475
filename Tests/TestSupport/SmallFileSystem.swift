#if os(Linux)
  package import Foundation
  import Glibc

  /// A small file system in memory, mounted for one test. It can be filled up, enlarged, or made read-only.
  package struct SmallFileSystem: ~Copyable {
    package let url = TemporaryFolder().url

    /// Whether this process may mount a file system, which some containers forbid.
    package static let isAvailable: Bool = {
      do { _ = try SmallFileSystem() } catch { return false }
      return true
    }()

    /// Mounts a file system of a size in the notation of `mount`.
    package init(size: String = "64k") throws {
      try Self.run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", url.path)
    }

    deinit {
      // A store that the test has abandoned may still have open files there.
      do { try Self.run("umount", "--lazy", url.path) } catch { print("left behind: \(url): \(error)") }
    }

    package func grow(to size: String) throws {
      try Self.run("mount", "-o", "remount,size=\(size)", url.path)
    }

    /// Fills it up with a file, except for some bytes.
    package func fill(except room: Int) throws {
      var status = statvfs()
      guard statvfs(url.path, &status) == 0 else { throw POSIXError(.EIO) }
      let count = Int(status.f_bavail) * Int(status.f_frsize) - room
      let file = url.appending(path: "filling").path
      guard FileManager.default.createFile(atPath: file, contents: Data(count: max(count, 0))) else {
        throw POSIXError(.ENOSPC)
      }
    }

    package func setReadOnly(_ isReadOnly: Bool) throws {
      try Self.run("mount", "-o", isReadOnly ? "remount,ro" : "remount,rw", url.path)
    }

    private static func run(_ words: String...) throws {
      // The reason for a container's refusal does not matter: the tests are reported as skipped.
      if try Program.run(words).end != .exit(0) { throw CommandFailed(command: words.joined(separator: " ")) }
    }
  }

  /// The error for a command that failed.
  package struct CommandFailed: Error { package let command: String }
#endif
