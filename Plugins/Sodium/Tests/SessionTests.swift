#if os(Linux)
  import Foundation
  import StrataSodium
  import TestSupport
  import Testing

  /// A secret is in no file and in no dump of the memory after a program has used it.
  @Suite struct SessionTests {
    private static let corePattern: String = {
      do {
        return try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)
      } catch { return "unknown: \(error)" }
    }()

    /// Whether a process that dies leaves its memory where it was, and not with a program or in another folder, or nowhere.
    private static let leavesCore: Bool = {
      var limit = rlimit()
      getrlimit(CInt(RLIMIT_CORE.rawValue), &limit)
      let isAllowed = geteuid() == 0 || limit.rlim_max == .max
      return isAllowed && !corePattern.hasPrefix("|") && !corePattern.contains("/")
    }()

    @Test(
      .enabled(if: leavesCore, "no dump may be left, or the kernel puts it elsewhere: \(corePattern)"),
      .disabled(if: Sanitizer.isOn, "a sanitizer's own memory would be dumped too"))
    func aSecretIsFoundNowhere() async throws {
      let folder = TemporaryFolder().url
      try FileManager.default.createDirectory(
        at: folder.appending(path: "files"), withIntermediateDirectories: true)
      let key = try SecretKey()
      try key.write(toFile: folder.path + "/key")
      let (secret, control) = (try Secret.random(count: 32).reveal(), try Secret.random(count: 32).reveal())

      let (end, printed) = try await onThread {
        try SodiumRunner.run("session", folder.path, input: secret + control)
      }
      #expect(end == .signal(SIGABRT), "\(String(decoding: printed, as: UTF8.self))")

      var places: [String: Data] = ["what it printed": printed]
      for case let file as URL in try #require(
        FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey]))
      where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        && file.lastPathComponent != "key"
      {
        places[file.lastPathComponent] = try Data(contentsOf: file, options: .mappedIfSafe)
      }
      let core = try #require(places.first { $0.key.hasPrefix("core") }).value
      #expect(core.count > 1 << 20)
      #expect(places.keys.contains("store.db"))
      #expect(places.count > 4)
      // Whoever looks as this does finds what is there.
      #expect(finds(control, in: core))
      for (place, bytes) in places {
        #expect(!finds(secret, in: bytes), "the secret is in \(place)")
        #expect(!finds(key.shown, in: bytes), "the key is in \(place)")
        if place == "store.db" || !place.hasPrefix("core") {
          #expect(!finds(control, in: bytes), "what was encrypted is in \(place)")
        }
      }
    }

    /// Whether either half of the bytes is there, or the whole as text.
    private func finds(_ needle: Data, in bytes: Data) -> Bool {
      let needles = [
        needle.prefix(16), needle.suffix(16), Data(needle.hex.utf8), Data(needle.base64EncodedString().utf8),
      ]
      return needles.contains { needle in
        bytes.withUnsafeBytes { bytes in needle.withUnsafeBytes { Self.finds($0, in: bytes) } }
      }
    }

    private static func finds(_ needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
      var rest = bytes
      while rest.count >= needle.count, let start = rest.baseAddress,
        let place = memchr(start, Int32(needle[0]), rest.count - needle.count + 1)
      {
        if needle.elementsEqual(UnsafeRawBufferPointer(start: place, count: needle.count)) { return true }
        rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(place) - start + 1)...])
      }
      return false
    }
  }
#endif
