import Foundation
import StrataKeychain
import StrataTestKit
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The state of a vault after a writing process was killed, and after concurrent writes.
@Suite(.endsInTime) struct VaultKillSoakTests {
  let vault = TestVault()

  @Test("kill -9 during a change of the key leaves the vault whole, locked with the old or the new key")
  func rotation() throws {
    let secrets = Dictionary(
      uniqueKeysWithValues: (0..<40).map { ("account \($0)", Data(repeating: UInt8($0), count: $0 * 100)) })
    try vault.accounts().setObjects(secrets, expiry: nil)
    var generator = SeededGenerator(seed: 8)
    var found: [UInt8: Int] = [:]
    for round in 0..<Soak.rounds(30, soak: 1000) {
      let current: UInt8 = failure { try vault.accounts().keys() } == nil ? 1 : 2
      let runner = try Runner.start(vault, "rotate", "\(current)", "\(3 - current)")
      // In every fourth round the process is killed only after the key was changed once, however long that takes.
      try kill(runner, after: round % 4 == 3 ? 2 : 1, &generator)
      // Exactly one key opens the vault, and all secrets are there.
      let keys = [UInt8(1), 2].filter { number in failure { try vault.accounts(.test(number)).keys() } == nil
      }
      let key = try #require(keys.first, "no key opens the vault after kill \(round)")
      #expect(keys.count == 1)
      #expect(
        try vault.accounts(.test(key)).entries(forKeys: Array(secrets.keys)).mapValues(\.object) == secrets)
      found[key, default: 0] += 1
    }
    // Otherwise the kills tested nothing.
    #expect(found.count == 2)
  }

  @Test("kill -9 during saves loses no saved secret, and leaves each secret whole")
  func saving() throws {
    var generator = SeededGenerator(seed: 9)
    try vault.accounts().setObject(text("untouched"), forKey: "other", expiry: nil)
    for round in 0..<Soak.rounds(15, soak: 1000) {
      let name = "round \(round)"
      let runner = try Runner.start(vault, "save", "1", name)
      try kill(runner, &generator)
      let saved = try runner.lines.dropFirst().compactMap { Int($0) }.last ?? -1
      let accounts = vault.accounts()
      for place in 0..<5 {
        // The last number saved for this account, or the number whose save was interrupted.
        let last = saved - (saved - place + 5) % 5
        let found = try accounts.objectIfPresent(forKey: "\(name) \(place)").map {
          String(decoding: $0, as: UTF8.self)
        }
        let allowed = (saved + 1) % 5 == place ? [last, saved + 1] : [last]
        #expect(
          allowed.map { $0 < 0 ? nil : "\($0)" }.contains(found),
          "saved up to \(saved), and \(place) has \(found ?? "none")")
      }
      #expect(try accounts.object(forKey: "other") == text("untouched"))
    }
  }

  @Test("processes that write one vault concurrently lose no secrets")
  func severalProcesses() throws {
    let runners = try (0..<4).map { try Runner.start(vault, "count", "1", "process \($0)", "40") }
    let own = vault.accounts()
    for number in 0..<40 { try own.setObject(text("\(number)"), forKey: "here \(number)", expiry: nil) }
    for runner in runners { #expect(runner.wait() == .exit(0)) }
    let names = (0..<4).map { "process \($0)" } + ["here"]
    let expected = names.flatMap { name in (0..<40).map { "\(name) \($0)" } }
    #expect(try Set(own.keys()) == Set(expected))
  }

  @Test("the key can be changed while other processes read and write, without losing a saved secret")
  func rotationAmongWriters() async throws {
    let shared = vault.open()
    let accounts = KeychainAccounts<String>(service: "tests", in: .vault(shared))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            let account = "task \(task) \(number)"
            try await onThread {
              try accounts.setObject(text("\(number)"), forKey: account, expiry: nil)
              #expect(try accounts.object(forKey: account) == text("\(number)"))
            }
          }
        }
      }
      let isChanging = Shared(true)
      group.addTask {
        try await onThread {
          for number in 2..<20 { try shared.changeKey(to: .test(UInt8(number))) }
          isChanging.change { $0 = false }
        }
      }
      // A concurrent reader never combines the new file with the old key.
      group.addTask { try await onThread { while isChanging.value { _ = try accounts.keys() } } }
      try await group.waitForAll()
    }
    let kept = try await vault.accounts(.test(19)).keys()
    #expect(kept.count == 100)
    #expect(failure { try vault.accounts(.test(18)).keys() } == .wrongKey)
  }

  /// Kills a program at a random moment after it has printed this number of lines. The first line is printed when it
  /// has begun.
  private func kill(
    _ runner: Program, after lines: Int = 1, _ generator: inout SeededGenerator
  ) throws {
    let hasBegun = try waited(until: { try runner.lines.count >= lines || !runner.isRunning })
    usleep(UInt32.random(in: 0...4000, using: &generator))
    let said = try runner.lines
    #expect(hasBegun && runner.isRunning, "the program ended by itself: \(said)")
    runner.signal(SIGKILL)
    runner.wait()
  }
}
