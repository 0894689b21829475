#if os(Linux)
  import Foundation
  @testable import StrataKeychain
  import TestSupport
  import Testing

  /// The Secret Service when it is locked, absent, stopped or killed, and items seen by other programs.
  @Suite(
    .endsInTime,
    .enabled(if: SecretSession.areProgramsInstalled, "dbus-daemon or gnome-keyring-daemon is not installed"))
  struct SecretServiceTests {
    private func accounts(_ place: KeychainPlace, _ service: String = "tests") -> KeychainAccounts<String> {
      KeychainAccounts(service: service, in: place)
    }

    @Test(
      "a locked collection throws `.locked` at once, with prompts allowed or not",
      arguments: [false, true])
    func locked(mayPrompt: Bool) throws {
      let session = try SecretSession()
      let accounts = accounts(session.place(mayPrompt: mayPrompt))
      try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
      try session.lockCollection()
      for refused in [
        failure { try accounts.entryIfPresent(forKey: "Ada") },
        failure { try accounts.entryIfPresent(forKey: "nobody") },
        failure { try accounts.keys() }, failure { try accounts.removeAll() },
        failure { try accounts.setObject(text("new"), forKey: "Ada", expiry: nil) },
        failure { try accounts.removeObject(forKey: "Ada") }, failure { try accounts.removeExpiredObjects() },
      ] {
        #expect(refused == .locked)
        #expect(refused?.message.contains(mayPrompt ? "did not unlock it" : "mayPrompt") == true)
      }
    }

    @Test("items of a locked collection are read after it is unlocked, and after the service restarts")
    func comesBack() throws {
      let session = try SecretSession()
      let accounts = accounts(session.place())
      try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
      session.killService()
      let gone = failure { try accounts.object(forKey: "Ada") }
      #expect(gone == .unreachable)
      #expect(gone?.message.contains("no Secret Service runs") == true)
      #expect((gone?.cause as? KeychainFailure)?.domain == "g-dbus-error-quark")
      #expect(failure { try accounts.setObject(text("new"), forKey: "Ada", expiry: nil) } == .unreachable)
      try session.startService()
      // The store still has the connection to the previous service, whose session no longer exists.
      #expect(try accounts.object(forKey: "Ada") == text("a secret"))
      try accounts.setObject(text("new"), forKey: "Ada", expiry: nil)
      #expect(try accounts.object(forKey: "Ada") == text("new"))
    }

    @Test("the first call after a restart of the service succeeds")
    func startedAnew() throws {
      let session = try SecretSession()
      let accounts = accounts(session.place())
      for round in 0..<3 {
        try accounts.setObject(text("\(round)"), forKey: "Ada", expiry: nil)
        session.killService()
        try session.startService()
        if round == 1 { try accounts.setObject(text("new"), forKey: "Ada", expiry: nil) }
        #expect(try accounts.object(forKey: "Ada") == text(round == 1 ? "new" : "\(round)"))
      }
    }

    @Test("a connection that may not show prompts refuses every prompt of the service")
    func noQuestions() throws {
      let session = try SecretSession()
      try session.lockCollection()
      let quiet = try session.items(mayPrompt: false)
      let refused = #expect(throws: GLibFailure.self) { try quiet.unlock() }
      #expect(refused?.storageError == .locked)
      #expect(try !session.items(mayPrompt: true).unlock())
    }

    @Test("without a service, and without a session bus, calls throw `.unreachable` with advice")
    func unreachable() throws {
      let session = try SecretSession(withService: false)
      let nobody = failure { try accounts(session.place()).entryIfPresent(forKey: "Ada") }
      #expect(nobody == .unreachable)
      #expect(nobody?.message.contains("start one") == true)
      session.killBus()
      let noBus = failure { try accounts(session.place()).entryIfPresent(forKey: "Ada") }
      #expect(noBus == .unreachable)
      #expect(noBus?.message.contains("DBUS_SESSION_BUS_ADDRESS") == true)
    }

    @Test("a call over a bus that accepts connections and never answers times out")
    func silentBus() throws {
      let folder = try SecretSession.makeFolder()
      let listener = try UnixListener(path: folder + "/bus")
      defer {
        listener.close()
        #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) }
      }
      let error = #expect(throws: StorageError.unreachable) {
        try SecretConnection(bus: "unix:path=\(listener.path)", mayPrompt: false, timeout: 50)
      }
      #expect(error?.message.contains("does not answer") == true)
    }

    @Test("when the bus ends, calls throw, and the process continues")
    func deadBus() throws {
      let session = try SecretSession()
      let accounts = accounts(session.place())
      try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
      session.killBus()
      #expect(failure { try accounts.object(forKey: "Ada") } == .unreachable)
      #expect(failure { try accounts.removeObject(forKey: "Ada") } == .unreachable)
    }

    @Test(
      "a service killed during saves keeps each account's old or new secret, and all completed saves"
    )
    func killedAmongSaves() async throws {
      let session = try SecretSession()
      let accounts = accounts(session.place())
      let saved = Shared([String: Int]())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<3 {
          group.addTask {
            try await onThread {
              for number in 0... {
                do {
                  try accounts.setObject(text("\(number)"), forKey: "task \(task)", expiry: nil)
                } catch StorageError.unreachable { return }
                saved.change { $0["task \(task)"] = number }
              }
            }
          }
        }
        group.addTask {
          await until { saved.value.count == 3 && saved.value.values.allSatisfy { $0 > 3 } }
          session.killService()
        }
        try await group.waitForAll()
      }
      try session.startService()
      for (account, number) in saved.value {
        let entry = try await accounts.entryIfPresent(forKey: account)
        let found = Int(String(decoding: try #require(entry).object, as: UTF8.self))
        #expect(found == number || found == number + 1)
      }
    }

    @Test(
      "other programs find a secret by its service and account, and a name with NUL or % in it is its own")
    func attributes() throws {
      let session = try SecretSession()
      let accounts = accounts(session.place(), "the service")
      for account in ["a\0b", "a%00b", "a%b", "%", ""] {
        try accounts.setObject(text("of \(account)"), forKey: account, expiry: nil)
      }
      for account in ["a\0b", "a%00b", "a%b", "%", ""] {
        #expect(try accounts.object(forKey: account) == text("of \(account)"))
      }
      #expect(try Set(accounts.keys()) == ["a\0b", "a%00b", "a%b", "%", ""])
      #expect(try self.accounts(session.place(), "another").keys() == [])
    }

    @Test("a collection that does not exist or cannot be created is named in the error")
    func noSuchCollection() throws {
      let session = try SecretSession()
      for name in ["nowhere", "", "a/b", "../login", "é"] {
        #expect(failure { try accounts(session.place(collection: name)).keys() } == .invalidConfiguration)
      }
      let login = accounts(session.place(collection: "login"))
      try login.setObject(text("a secret"), forKey: "Ada", expiry: nil)
      #expect(try accounts(session.place()).object(forKey: "Ada") == text("a secret"))
    }

    @Test(
      "bytes of another program are read unchanged; damaged secrets and secrets of a newer version throw"
    )
    func foreign() throws {
      let session = try SecretSession()
      let accounts = accounts(session.place())
      try session.store(Data("plain text".utf8), service: "tests", account: "Ada")
      #expect(try accounts.entryIfPresent(forKey: "Ada") == Entry(object: text("plain text")))
      #expect(try accounts.keys() == ["Ada"])
      try accounts.removeExpiredObjects()
      #expect(try accounts.object(forKey: "Ada") == text("plain text"))
      try session.store(Data([3, 0, 0]), service: "tests", account: "Ada")
      #expect(failure { try accounts.object(forKey: "Ada") } == .newerFormat)
      try session.store(Data([1, 0, 0]), service: "tests", account: "Ada")
      #expect(failure { try accounts.object(forKey: "Ada") } == .malformedFileAttributes)
      try accounts.setObject(text("a secret"), forKey: "Ada", expiry: nil)
      #expect(try accounts.object(forKey: "Ada") == text("a secret"))
    }
  }
#endif
