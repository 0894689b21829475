import Foundation
import StrataSodium
import TestSupport
import Testing

/// The files that are left when a process is killed while it decrypts a file.
@Suite(.endsInTime) struct FileStreamTests {
  private let folder = TemporaryFolder().url
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "the test looks into /proc"))
  func nothingStaysWhenTheProcessIsKilled() async throws {
    let key = try SecretKey()
    try key.write(toFile: folder.path + "/key")
    let ring = KeyRing(key)
    let plain = TemporaryFolder().url.appending(path: "plain")
    try noise(300_000).write(to: plain)
    try ring.encryptFile(at: plain.path, to: folder.path + "/sealed")
    let sealed = try Data(contentsOf: folder.appending(path: "sealed"))

    // The process reads half of the stream, waits for the rest, and is killed.
    let source = folder.path + "/source"
    #expect(mkfifo(source, 0o600) == 0)
    let program = try Program([SodiumRunner.path, "decrypt", folder.path, source])
    // Opened for reading and writing, so that neither this call nor a write waits for a program that has ended.
    let pipe = open(source, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    #expect(pipe >= 0)
    defer { close(pipe) }
    var rest = sealed.prefix(200_000)
    await until {
      let written = rest.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
      rest = rest.dropFirst(max(written, 0))
      return rest.isEmpty
    }
    let files = "/proc/\(program.process)/fd"
    await until {
      let open = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
      return open.contains { name in
        var status = stat()
        let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(name)")) ?? ""
        return link.hasPrefix(folder.path) && stat("\(files)/\(name)", &status) == 0
          && status.st_mode & S_IFMT == S_IFREG && status.st_size >= 64 << 10
      }
    }
    program.signal(SIGKILL)
    #expect(program.wait() == .signal(SIGKILL))
    #expect(try names == ["key", "sealed", "source"])

    try ring.decryptFile(at: folder.path + "/sealed", to: folder.path + "/plain")
    #expect(try Data(contentsOf: folder.appending(path: "plain")) == noise(300_000))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/plain")[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func filesOfKilledProcessesAreDeleted() throws {
    let ring = KeyRing(try SecretKey())
    try noise(100).write(to: folder.appending(path: "plain"))
    let (target, other) = (folder.path + "/target", folder.path + "/other")
    let left = "\(target).\(UUID().uuidString).partial"
    let used = "\(target).\(UUID().uuidString).partial"
    let kept = ["\(other).\(UUID().uuidString).partial", "\(target).mine.partial", used]
    for path in kept + [left] { try Data("left".utf8).write(to: URL(filePath: path)) }
    let claim = open(used, O_RDONLY)
    defer { close(claim) }
    #expect(flock(claim, LOCK_EX | LOCK_NB) == 0)
    for _ in 0..<2 {
      // The second run replaces the file of the first.
      try ring.encryptFile(at: folder.path + "/plain", to: target)
      try ring.decryptFile(at: target, to: other)
      #expect(try Data(contentsOf: URL(filePath: other)) == noise(100))
    }
    let expected =
      ["other", "plain", "target"] + kept.dropFirst().map { URL(filePath: $0).lastPathComponent }
    #expect(try names == expected.sorted())
  }
}
