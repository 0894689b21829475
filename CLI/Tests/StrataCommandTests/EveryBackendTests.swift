import Foundation
import StrataCore
import Testing

@testable import StrataCommand

/// Runs every command, by the real executable, over every backend that supports it.
@Suite struct EveryBackendTests {
  init() { TestServer.startAhead }

  @Test(arguments: Backend.installed) func entriesAreStoredReadAndRemoved(_ backend: Backend) async throws {
    try await inFolder { strata in
      let strata = backend.prepared(strata)
      let store = try backend.address("store", in: strata)
      #expect(try strata("put", store, "ada", input: #"{"name":"Ada","born":[1815]}"#).status == 0)
      #expect(
        try strata("put", store, "ünï/\u{1F600} key", "--at", "2040-02-29T12:00:00.5Z", input: "x").status
          == 0)
      #expect(try strata("get", store, "ada").output == #"{"name":"Ada","born":[1815]}"#)
      #expect(try strata("ls", store, "--sort", "key").output == "ada\nünï/\u{1F600} key\n")
      #expect(
        try strata("ls", store, "-l", "--sort", "size").output
          == "28\tnever\tada\n1\t2040-02-29T12:00:00.5Z\tünï/\u{1F600} key\n")
      #expect(try strata("ls", store, "a*", "--json").output == "[\n{\"key\":\"ada\"}\n]\n")
      #expect(try strata("ls", store, "b*", "--json").output == "[]\n")
      #expect(try strata("ls", store, "--limit", "1", "--sort", "key", "-r").output == "ünï/\u{1F600} key\n")

      #expect(try strata("expire", store, "ada", "--at", "2041-01-01").status == 0)
      #expect(try strata("ls", store, "a*", "-l").output == "28\t2041-01-01T00:00:00Z\tada\n")
      #expect(try strata("expire", store, "ada", "--never").status == 0)
      #expect(try strata("put", store, "ada", "--if-absent", input: "no").status == 6)
      #expect(try strata("get", store, "nobody").status == 3)
      #expect(try strata("expire", store, "nobody", "--in", "1h").status == 3)

      let info = try JSON(json: strata("info", store, "--json").bytes)
      #expect(info["entries"] == .integer(2))
      #expect(info["valueBytes"] == .integer(29))
      #expect(info["firstExpiry"] == .text("2040-02-29T12:00:00.5Z"))
      let stats = try strata("stats", store, "--json")
      #expect(stats.status == 0)
      #expect(
        try JSON(json: stats.bytes)["largest"]
          == .array([
            .object(["key": .text("ada"), "size": .integer(28)]),
            .object(["key": .text("ünï/\u{1F600} key"), "size": .integer(1)]),
          ]))
      let verified = try strata("verify", store)
      #expect(verified.status == 0 && verified.errors == "2 entries sound\n", "\(verified.errors)")

      #expect(try strata("rm", store, "ada", "nobody").status == 3)
      #expect(try strata("rm", store, "--pattern", "a*", "-n").errors == "would remove 1 entry\n")
      #expect(try strata("rm", store, "--pattern", "a*").status == 6)
      #expect(try strata("get", store, "ada").status == 0)
      #expect(try strata("rm", store, "--pattern", "a*", "-y").errors == "removed 1 entry\n")
      #expect(try strata("rm", store, "ünï/\u{1F600} key").status == 0)
      #expect(try strata("ls", store).output == "")
    }
  }

  @Test(arguments: Backend.installed) func copiesAreEqual(_ backend: Backend) async throws {
    try await inFolder { strata in
      let strata = backend.prepared(strata)
      let (store, other) = (try backend.address("store", in: strata), "disk:other")
      // The simulation of S3 takes milliseconds for each entry of each command.
      let count = backend == .s3 ? 60 : 300
      let lines = (0..<count).map { number in
        let expiry = number % 3 == 0 ? "null" : "\"2040-01-01T00:00:\(10 + number % 50).25Z\""
        let value = number % 2 == 0 ? #"{"text":"value \#(number)"}"# : #"{"base64":"/wD\#(number % 10)"}"#
        return #"{"key":"key \#(number)","expires":\#(expiry),"value":\#(value)}"#
      }
      let loaded = try strata("load", store, input: lines.joined(separator: "\n"))
      #expect(loaded.status == 0 && loaded.output == "stored \(count) entries\n", "\(loaded.errors)")
      #expect(
        try Set(strata("dump", store).lines)
          == Set(
            lines.map { line in
              // The base64 of some lines differs from the form that dump prints for the same bytes.
              try Record.json(Record.entry(line.utf8).key, Record.entry(line.utf8).entry).compact
            }))

      #expect(try strata("copy", store, other, "--dry-run").output.hasPrefix("would copy \(count) entries"))
      #expect(try strata("ls", other).status == 3)
      let copied = try strata("copy", store, other, "--json")
      #expect(try JSON(json: copied.bytes)["copied"] == .integer(count), "\(copied.errors)")
      #expect(try strata("diff", store, other).errors == "\(count) entries, no difference\n")
      #expect(
        try strata("copy", store, other).output == "copied 0 entries, 0 B; \(count) were there already\n")

      // Copies back, over entries that differ in the value, the expiry or the key.
      #expect(try strata("put", other, "key 1", input: "new").status == 0)
      #expect(try strata("expire", other, "key 3", "--at", "2050-01-01").status == 0)
      #expect(try strata("rm", other, "key 5").status == 0)
      #expect(try strata("put", other, "more", input: "").status == 0)
      let difference = try strata("diff", store, other)
      #expect(difference.status == 1)
      #expect(Set(difference.lines) == ["~ key 1", "@ key 3", "- key 5", "+ more"])
      #expect(try strata("copy", other, store).output.hasPrefix("copied 3 entries"))
      #expect(
        Set(try strata("diff", store, other, "--jsonl").lines) == [
          #"{"key":"key 5","difference":"onlyInFirst"}"#
        ])
    }
  }

  @Test(arguments: Backend.installed) func benchWatchAndShellWork(_ backend: Backend) async throws {
    try await inFolder { strata in
      let strata = backend.prepared(strata)
      let store = try backend.address("store", in: strata)
      let measured = try strata("bench", store, "--count", "3", "--size", "10", "--json")
      #expect(measured.status == 0, "\(measured.errors)")
      #expect(try JSON(json: measured.bytes)["kind"] == .text(backend == .files ? "disk" : backend.rawValue))
      #expect(try strata("ls", store).output == "")

      #expect(try strata("put", store, "one", input: "1").status == 0)
      let typed = try strata("shell", store, input: "ls -l\n# a comment\nget 'one'\nexit\nls\n")
      #expect(typed.output == "1\tnever\tone\n1", "\(typed.errors)")
      #expect(try strata("shell", store, input: "get two\nls\n").status == 3)

      // A completion gives up after a fifth of a second, which a busy machine may need to reach a server.
      var words = ""
      for _ in 0..<20 where words.isEmpty { words = try strata("__complete", "key", store, "o").output }
      #expect(words == "one\n")
    }
  }

  @Test(arguments: Backend.installed) func changesAreSeen(_ backend: Backend) async throws {
    try await inFolder { strata in
      let strata = backend.prepared(strata)
      let store = try backend.address("store", in: strata)
      for key in ["stays", "goes"] { #expect(try strata("put", store, key, input: "1").status == 0) }
      let terminal = try PseudoTerminal(
        strata, ["watch", store, "--interval", "20ms", "--count", "3", "--color=never"])
      #expect(terminal.wait(for: "watching 2 entries"))
      #expect(try strata("put", store, "new", input: "12").status == 0)
      #expect(terminal.wait(for: "+ new  2 B"))
      #expect(try strata("put", store, "stays", input: "123").status == 0)
      #expect(terminal.wait(for: "~ stays  3 B"))
      #expect(try strata("rm", store, "goes").status == 0)
      #expect(terminal.wait(for: "- goes"), "\(terminal.screen)")
      #expect(terminal.finish().status == 0)
    }
  }

  @Test(arguments: Backend.installed) func unsupportedCommandsAreRefused(_ backend: Backend) async throws {
    try await inFolder { strata in
      let strata = backend.prepared(strata)
      let store = try backend.address("store", in: strata)
      #expect(try strata("put", store, "old", "--in", "1ms", input: "1").status == 0)
      #expect(try strata("put", store, "new", input: "1").status == 0)
      let compacted = try strata("compact", store)
      #expect(
        compacted.status == ([.lmdb, .redis, .postgres, .s3, .vault].contains(backend) ? 6 : 0),
        "\(compacted.errors)")
      let repaired = try strata("repair", store, "--yes")
      #expect(repaired.status == ([.disk, .files].contains(backend) ? 0 : 6), "\(repaired.errors)")
      #expect(try strata("get", store, "new").output == "1")
      #expect(try strata("get", store, "old").status == 3)
    }
  }

  @Test(arguments: Backend.local) func storesCanBeReadWhileAServiceHasThemOpen(_ backend: Backend)
    async throws
  {
    try await inFolder { strata in
      let address = try backend.address("store", in: strata)
      let scheme = address.prefix { $0 != ":" }
      let place = "\(scheme):\(strata.place.path)/\(address.dropFirst(scheme.count + 1))"
      let request = OpenRequest(
        access: .create,
        secrets: Secrets(keyFile: nil, passwordFile: nil, environment: [:], mayAsk: false))
      let service = try Backends.open(place, request)
      try await service.storage.setObject(Data("1".utf8), forKey: "one", expiry: nil)
      #expect(try strata("ls", address).output == "one\n")
      #expect(try strata("get", address, "one").output == "1")
      #expect(try strata("verify", address).status == 0)
      // A store with a file for each entry keeps no file open.
      let info = try strata("info", address, "--json").output
      #expect(info.contains(#""process": \#(getpid())"#) == (backend != .files))
      try await service.storage.setObject(Data("2".utf8), forKey: "one", expiry: nil)
      #expect(try strata("get", address, "one").output == "2")
      // RocksDB lets only one process write.
      let written = try strata("put", address, "two", input: "2")
      #expect(written.status == (backend == .rocksdb ? 5 : 0), "\(written.errors)")
      _ = service
    }
  }
}
