import Foundation
import StrataKeychain
import TestSupport
import Testing

/// Limits of a vault: an attacker cannot make a program work or wait forever.
@Suite(.endsInTime) struct VaultLimitTests {
  let vault = TestVault()

  private func accounts(_ key: VaultKey, timeout: Duration = .seconds(30)) -> KeychainAccounts<String> {
    KeychainAccounts(service: "tests", in: .vault(Vault(path: vault.path, key: key, lockTimeout: timeout)))
  }

  /// Replaces the cost in the header, which is authenticated only after the work is done.
  private func ask(for cost: PassphraseCost) throws {
    var bytes = try vault.bytes
    for (offset, number) in [(16, cost.operations), (24, cost.memory)] {
      bytes.replaceSubrange(offset..<offset + 8, with: [UInt8](littleEndian: UInt64(number)))
    }
    try vault.put(bytes)
  }

  @Test("a header that demands more hashing than the limit is refused before any hashing")
  func work() throws {
    try accounts(.passphrase("words", cost: .least)).setObject(text("1"), forKey: "Ada", expiry: nil)
    for cost in [
      PassphraseCost(operations: 64, memory: 4 << 30), .init(operations: 5, memory: 1 << 30),
      .init(operations: 1, memory: 2 << 30),
    ] {
      try ask(for: cost)
      let error = failure { try accounts(.passphrase("words")).object(forKey: "Ada") }
      #expect(error == .malformedFileAttributes)
      #expect(error?.message.contains("\(cost.operations) passes over \(cost.memory) bytes") == true)
      #expect(error?.message.contains("raise `limit`") == true)
      #expect(error?.place == vault.path)
    }
    let twice = PassphraseCost(operations: 2, memory: 8192)
    try ask(for: twice)
    let small = failure { try accounts(.passphrase("words", cost: .least, limit: .least)).keys() }
    #expect(small == .malformedFileAttributes)
    // A cost within the limit is spent, and shows that the header was changed.
    #expect(failure { try accounts(.passphrase("words", cost: .least, limit: twice)).keys() } == .wrongKey)
    try ask(for: .least)
    #expect(try accounts(.passphrase("words", limit: .least)).object(forKey: "Ada") == text("1"))
  }

  @Test("a vault created with more hashing than the limit can be opened by its creator")
  func ownCost() throws {
    let key = try VaultKey.passphrase("words", cost: .init(operations: 3, memory: 16384), limit: .least)
    try accounts(key).setObject(text("1"), forKey: "Ada", expiry: nil)
    #expect(try accounts(key).object(forKey: "Ada") == text("1"))
  }

  @Test("a process that hangs with the lock is named in the error, and others do not wait for ever")
  func lock() async throws {
    try await accounts(.test(1)).setObject(text("1"), forKey: "Ada", expiry: nil)
    let lock = open(vault.path + ".lock", O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let impatient = accounts(.test(1), timeout: .zero)
    let error = failure { try impatient.setObject(text("2"), forKey: "Ada", expiry: nil) }
    #expect(error == .busy)
    #expect(error?.place == vault.path + ".lock")
    #if os(Linux)
      #expect(error?.message.contains("the process \(getpid()) ") == true)
    #endif
    let keychain = Keychain<String>(
      account: "Ada", service: "tests",
      in: .vault(Vault(path: vault.path, key: .test(1), lockTimeout: .milliseconds(1))))
    let item = await #expect(throws: KeychainError.unableToSave) { try await keychain.save(item: "2") }
    #expect(item?.condition == .busy)
    // Reads never wait.
    #expect(try blocking { try impatient.object(forKey: "Ada") } == text("1"))

    // More saves wait than the machine has cores, and tasks still make progress.
    let patient = Keychain<Int>(account: "Grace", in: .vault(vault.open()))
    let saves = (0..<32).map { number in Task { try await patient.save(item: number) } }
    for _ in 0..<100 { await Task { await Task.yield() }.value }
    #expect(flock(lock, LOCK_UN) == 0)
    for save in saves { try await save.value }
    #expect(try await patient.get() != nil)
  }

  @Test("a thread that hangs with the lock does not block other threads with the same vault for ever")
  func threads() async throws {
    let open = Vault(path: vault.path, key: .test(1), lockTimeout: .zero)
    let held = KeychainAccounts<String>(service: "tests", in: .vault(open))
    let gate = ThreadGate()
    let lock = vault.path + ".lock"
    let slow = Task { try await onThread { try open.withWriteLock(lock) { gate.pass() } } }
    await gate.arrival()
    let error = failure { try blocking { try held.setObject(text("1"), forKey: "Ada", expiry: nil) } }
    #expect(error == .busy)
    #expect(error?.message.contains("another thread of this program") == true)
    gate.open()
    try await slow.value
    try blocking { try held.setObject(text("1"), forKey: "Ada", expiry: nil) }
  }

  /// Changing the key is a write like any other: values saved before or after it are there.
  @Test("no save is lost while the key is changed") func changesUnderWriters() async throws {
    let open = vault.open(.test(0))
    let accounts = KeychainAccounts<String>(service: "tests", in: .vault(open))
    let changes = Soak.rounds(10, soak: 1000)
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          try await onThread {
            for number in 0..<changes {
              try accounts.setObject(text("\(number)"), forKey: "\(writer)", expiry: nil)
              let read = try accounts.object(forKey: "\(writer)")
              #expect(read == text("\(number)"))
            }
          }
        }
      }
      group.addTask {
        try await onThread {
          for number in 1...changes { try open.changeKey(to: .test(UInt8(number % 250))) }
        }
      }
      try await group.waitForAll()
    }
    let last = vault.accounts(.test(UInt8(changes % 250)))
    for writer in 0..<4 {
      #expect(try blocking { try last.object(forKey: "\(writer)") } == text("\(changes - 1)"))
    }
  }
}
