#if os(Linux)
  import Foundation
  import StrataKeychain
  import TestSupport
  import Testing

  /// After a program has stored a secret in a vault, neither its files nor its core dump contain the secret.
  @Suite(.endsInTime) struct VaultSessionTests {
    @Test(
      .enabled(
        if: MemoryDump.isLeft, "no dump may be left, or the kernel puts it elsewhere: \(MemoryDump.pattern)"),
      .disabled(if: Sanitizer.isOn, "a sanitizer's own memory would be dumped too"))
    func aSecretIsFoundNowhere() async throws {
      let vault = TestVault()
      let keys = [try SecretKey(), try SecretKey()]
      for (key, name) in zip(keys, ["key", "ring"]) { try key.write(toFile: vault.folder.path + "/" + name) }
      let (secret, control) = (try Secret.random(count: 32).reveal(), try Secret.random(count: 32).reveal())
      let runner = [
        "sh", "-c", #"ulimit -c unlimited && exec "$0" "$@""#, Runner.path, vault.path, "session",
      ]
      let (end, printed) = try await onThread { try Program.run(runner, input: secret + control) }
      #expect(end == .signal(SIGABRT), "\(String(decoding: printed, as: UTF8.self))")

      var places = try MemoryDump.files(in: vault.folder)
      for name in ["key", "ring"] { places[name] = nil }
      places["what it printed"] = printed
      let core = try #require(places.first { $0.key.hasPrefix("core") }).value
      #expect(core.count > 1 << 20)
      #expect(places.keys.contains("secrets.vault"))
      // The same search finds the control bytes, which were not in a `Secret`.
      #expect(Needle(control).isIn(core))
      for (place, bytes) in places {
        #expect(!Needle(secret).isIn(bytes), "the secret is in \(place)")
        for key in keys {
          let shown = key.withUnsafeBytes { Data($0) }
          #expect(!Needle(shown).isIn(bytes), "a key is in \(place)")
        }
        if !place.hasPrefix("core") { #expect(!Needle(control).isIn(bytes), "what was saved is in \(place)") }
      }
    }
  }
#endif
