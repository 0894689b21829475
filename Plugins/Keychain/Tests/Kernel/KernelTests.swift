#if os(Linux)
  import CKeyutils
  import Foundation
  import Glibc
  import StrataKeychain
  import TestSupport
  import Testing

  @_silgen_name("syscall")
  private func systemCall(_ number: CLong, _ real: CLong, _ effective: CLong, _ saved: CLong) -> CLong

  /// The kernel's keyring: its limits, its timeouts, and its visibility.
  @Suite(.endsInTime, .enabled(if: KernelSupport.isPermitted, "the kernel permits no keyring here"))
  struct KernelTests {
    /// The keys of a test, removed at its end.
    private func withAccounts(
      _ keyring: KernelKeyring = .user, _ body: (KeychainAccounts<String>) throws -> Void
    ) throws {
      let accounts = KeychainAccounts<String>(service: "strata tests: \(UUID())", in: .kernel(keyring))
      defer { #expect(throws: Never.self) { try accounts.removeAll() } }
      try body(accounts)
    }

    @Test(
      "a secret of the maximum size is stored; a larger one throws `.tooLarge`, and the old secret remains"
    )
    func sizes() throws {
      try withAccounts { accounts in
        // The expiry takes nine bytes of the kernel's limit.
        let largest = (KernelSupport.hasLargeKeys ? (1 << 20) - 1 : 32_767) - 9
        for size in [0, 1, 4086, 4087, 4088, largest] {
          let secret = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
          try accounts.setObject(secret, forKey: "a", expiry: nil)
          #expect(try accounts.object(forKey: "a") == secret)
        }
        #expect(
          failure { try accounts.setObject(Data(count: largest + 1), forKey: "a", expiry: nil) } == .tooLarge)
        #expect(try accounts.object(forKey: "a").count == largest)
      }
    }

    @Test(
      "the kernel itself drops a secret when it has expired; a later save lives as long as it says",
      arguments: KernelKeyring.allCases)
    func timeouts(keyring: KernelKeyring) throws {
      try withAccounts(keyring) { accounts in
        for account in ["gone", "again", "overwritten"] {
          try accounts.setObject(text("short"), forKey: account, expiry: .seconds(0.3))
        }
        try accounts.setObject(text("long"), forKey: "overwritten", expiry: .never)
        #expect(try accounts.object(forKey: "gone") == text("short"))
        let isGone = try waited { try accounts.entryIfPresent(forKey: "gone") == nil }
        #expect(isGone)
        #expect(try accounts.keys() == ["overwritten"])
        try accounts.setObject(text("again"), forKey: "again", expiry: nil)
        #expect(try accounts.object(forKey: "again") == text("again"))
        #expect(try accounts.object(forKey: "overwritten") == text("long"))
      }
    }

    @Test("accounts of any characters and length are kept apart")
    func names() throws {
      try withAccounts { accounts in
        let names = [
          "", "a:b", ":", "#", "#1", "a\0b", "a%00b", "é", "a;b\n", String(repeating: "k", count: 1500),
          String(repeating: "k", count: 1501), String(repeating: "k", count: 9000) + "1",
          String(repeating: "k", count: 9000) + "2",
        ]
        for (index, name) in names.enumerated() {
          try accounts.setObject(text("\(index)"), forKey: name, expiry: nil)
        }
        for (index, name) in names.enumerated() {
          #expect(try accounts.object(forKey: name) == text("\(index)"))
        }
        #expect(try Set(accounts.keys()) == Set(names))
      }
    }

    @Test("keyrings are separate, and so are services with a common prefix")
    func apart() throws {
      try withAccounts(.user) { user in
        let session = KeychainAccounts<String>(service: user.service, in: .kernel(.session))
        let longer = KeychainAccounts<String>(service: user.service + ":a", in: .kernel(.user))
        try user.setObject(text("user"), forKey: "a:b", expiry: nil)
        #expect(try session.entryIfPresent(forKey: "a:b") == nil)
        #expect(try longer.entryIfPresent(forKey: "b") == nil)
        try session.setObject(text("session"), forKey: "a:b", expiry: nil)
        try session.removeAll()
        try longer.removeAll()
        #expect(try user.object(forKey: "a:b") == text("user"))
      }
    }

    @Test("a process whose session keyring lacks the user's keyring can use the user's keyring all the same")
    func otherSession() async throws {
      let accounts = KeychainAccounts<String>(service: "strata tests: \(UUID())", in: .kernel())
      defer { #expect(throws: Never.self) { try accounts.removeAll() } }
      try await onThread { try accounts.setObject(text("1"), forKey: "Ada", expiry: nil) }
      try await onThread {
        // An empty session for this thread only.
        #expect(keyctl_join_session_keyring(nil) > 0)
        #expect(try accounts.object(forKey: "Ada") == text("1"))
        try accounts.setObject(text("2"), forKey: "Ada", expiry: .seconds(1000))
        #expect(try accounts.keys() == ["Ada"])
        #expect(try accounts.object(forKey: "Ada") == text("2"))
      }
      try await onThread {
        #expect(try accounts.object(forKey: "Ada") == text("2"))
        try accounts.removeObject(forKey: "Ada")
        #expect(try accounts.keys() == [])
      }
    }

    @Test("a secret that is replaced continuously is never absent, and always listed")
    func replacing() async throws {
      let accounts = KeychainAccounts<String>(service: "strata tests: \(UUID())", in: .kernel())
      defer { #expect(throws: Never.self) { try accounts.removeAll() } }
      try await accounts.setObject(text("first"), forKey: "Ada", expiry: nil)
      let isDone = Shared(false)
      async let writer: Void = onThread {
        defer { isDone.change { $0 = true } }
        for number in 0..<3000 { try accounts.setObject(text("\(number)"), forKey: "Ada", expiry: nil) }
      }
      async let missed: (reads: Int, lists: Int) = onThread {
        var missed = (reads: 0, lists: 0)
        while !isDone.value {
          if try accounts.entryIfPresent(forKey: "Ada") == nil { missed.reads += 1 }
          if try accounts.keys() != ["Ada"] { missed.lists += 1 }
        }
        return missed
      }
      try await writer
      let (reads, lists) = try await missed
      #expect(reads == 0)
      #expect(lists == 0)
    }

    @Test(
      "an exhausted quota throws `.quotaExceeded`, and stored secrets remain",
      .enabled(if: geteuid() == 0, "only a superuser can be another user"))
    func quota() async throws {
      // Each user has a quota; this user has no other keys.
      try await onThreadOf(user: 65_533) {
        try withAccounts { accounts in
          var stored = 0
          let full = failure {
            while stored < 100 {
              try accounts.setObject(Data(count: 3000), forKey: "\(stored)", expiry: nil)
              stored += 1
            }
          }
          #expect(full == .quotaExceeded)
          #expect((full?.cause as? KeychainFailure)?.code == Int(EDQUOT))
          #expect(full?.message.contains("kernel.keys.maxbytes") == true)
          let kept = try accounts.keys()
          #expect(kept.count == stored)
        }
      }
    }

    /// Runs `body` on a new thread that belongs to another user.
    private func onThreadOf(user: uid_t, _ body: @escaping @Sendable () throws -> Void) async throws {
      try await onThread {
        // The C library's function would change all threads of the process; the system call changes this thread only.
        #if arch(x86_64)
          let setresuid = 117
        #else
          let setresuid = 147
        #endif
        let isOther = systemCall(setresuid, CLong(user), CLong(user), CLong(user)) == 0
        #expect(isOther)
        if isOther { try body() }
      }
    }
  }
#endif
