#if os(Linux)
  import Foundation
  import StrataSodium
  import TestSupport
  import Testing

  /// After a program has used a secret, neither its files nor its core dump contain the secret.
  @Suite(.endsInTime) struct SessionTests {
    @Test(
      .enabled(
        if: MemoryDump.isLeft, "no dump may be left, or the kernel puts it elsewhere: \(MemoryDump.pattern)"),
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

      var places = try MemoryDump.files(in: folder)
      places["key"] = nil
      places["what it printed"] = printed
      let core = try #require(places.first { $0.key.hasPrefix("core") }).value
      #expect(core.count > 1 << 20)
      #expect(places.keys.contains("store.db"))
      #expect(places.count > 4)
      // The same search finds the control bytes.
      #expect(Needle(control).isIn(core))
      for (place, bytes) in places {
        #expect(!Needle(secret).isIn(bytes), "the secret is in \(place)")
        #expect(!Needle(key.shown).isIn(bytes), "the key is in \(place)")
        if place == "store.db" || !place.hasPrefix("core") {
          #expect(!Needle(control).isIn(bytes), "what was encrypted is in \(place)")
        }
      }
    }
  }
#endif
