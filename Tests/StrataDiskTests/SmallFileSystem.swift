#if os(Linux)
  import FoundationEssentials
  import Glibc

  /// A file system of 64 kB in memory, mounted for one test: it can be full, or made read-only.
  struct SmallFileSystem: ~Copyable {
    let url: URL

    /// Whether this process may mount one; not in every container.
    static let isAvailable: Bool = {
      do { _ = try SmallFileSystem() } catch { return false }
      return true
    }()

    init() throws {
      url = FileManager.default.temporaryDirectory.appending(path: "StrataDiskTests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      do {
        try Self.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", url.path)
      } catch {
        try FileManager.default.removeItem(at: url)
        throw error
      }
    }

    deinit {
      do {
        try Self.run("umount", url.path)
        try FileManager.default.removeItem(at: url)
      } catch { print("left behind: \(url): \(error)") }
    }

    func setReadOnly(_ isReadOnly: Bool) throws {
      try Self.run("mount", "-o", isReadOnly ? "remount,ro" : "remount,rw", url.path)
    }

    private static func run(_ words: String...) throws {
      var arguments = words.map { strdup($0) } + [nil]
      defer { arguments.forEach { free($0) } }
      var child = pid_t()
      var status: CInt = 0
      errno = posix_spawnp(&child, words[0], nil, nil, &arguments, environ)
      guard errno == 0, waitpid(child, &status, 0) == child, status == 0 else {
        throw CallFailed(call: words.joined(separator: " "))
      }
    }
  }
#endif
