import Foundation
import Testing

@testable import StrataCommand

/// Tests exit statuses, errors and side effects, which scripts rely on.
@Suite struct ManagingTests {
  @Test(arguments: [
    (["lss"], "Did you mean ls?"), (["ls"], "STORE is missing"),
    (["ls", "disk:a", "b", "c"], "unexpected argument"),
    (["ls", "tape:x"], "unknown scheme tape:"), (["ls", "redis://h"], "?namespace="),
    (["ls", "redis://u:secret@h?namespace=n"], "--password-file"), (["ls", "disk:a?colour=red"], "colour"),
    (["ls", "postgres://u:secret@h/d?table=t"], "--password-file"), (["ls", "postgres://h/d"], "?table="),
    (["ls", "postgres://h/d?table=t&password=secret"], "no parameter “password”"),
    (["ls", "postgres://h/d?table=t&sslmode=prefer"], "sslmode"), (["ls", "s3:///a"], "names no bucket"),
    (["ls", "s3://bucket?endpoint=h"], "endpoint"),
    (["ls", "s3://bucket?endpoint=http://u:secret@h"], "endpoint"),
    (["ls", "s3://u:secret@bucket/a"], "AWS_SECRET_ACCESS_KEY"),
    (["ls", "redis://h?namespace=n&password=secret"], "no parameter “password”"),
    (["ls", "vault:v?service=s&password=secret"], "no parameter “password”"),
    (["ls", "disk:a", "--json", "--jsonl"], "exclude each other"),
    (["put", "disk:a", "k", "--at", "soon"], "--at"),
    (["put", "disk:a", "k", "--at", "2030-01-01", "--in", "1h"], "only one"),
    (["copy", "disk:a", "disk:./a"], "the same"), (["rm", "disk:a"], "--pattern"),
    (["completion", "csh"], "bash, zsh, fish"), (["ls", "disk:%zz"], "hexadecimal"),
    (["vault"], "no command"),
  ]) func wrongLinesEndWithTwo(_ words: [String], _ text: String) async throws {
    try await inFolder { strata in
      let result = try strata.run(words)
      #expect(result.status == 2)
      #expect(result.errors.contains(text), "\(result.errors)")
      #expect(!result.errors.contains("secret"))
      #expect(result.output.isEmpty)
    }
  }

  @Test func missingStoresAreNotCreated() async throws {
    try await inFolder { strata in
      for store in ["disk:a", "sqlite:a", "lmdb:a", "rocksdb:a", "vault:a?service=s", "a"] {
        for words in [
          ["ls", store], ["get", store, "k"], ["rm", store, "k"], ["info", store], ["verify", store],
        ] {
          let result = try strata.run(words)
          #expect(result.status == 3, "\(words) \(result.errors)")
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: strata.place.path)
      #expect(names.filter { !$0.hasPrefix(".std") } == [])
    }
  }

  @Test func aFolderThatIsNoStoreIsDescribed() async throws {
    try await inFolder { strata in
      #expect(try strata.bash("mkdir empty other; touch other/a.txt other/b.txt").status == 0)
      #expect(try strata("put", "lmdb:l", "a", input: "1").status == 0)
      for (store, text) in [
        ("disk:empty", "it is empty"), ("disk:other", "it holds 2 files such as a.txt, b.txt"),
        ("disk:l", "it is a store of lmdb:"), ("other", "is not an address of a store"),
      ] {
        let result = try strata("info", store)
        #expect(result.status == 3 && result.errors.contains(text), "\(store): \(result.errors)")
      }
      #expect(try strata("info", "l").output.hasPrefix("kind            lmdb\n"))
    }
  }

  @Test func readingChangesNothing() async throws {
    try await inFolder { strata in
      _ = try strata("put", "disk:store", "a", input: "1")
      _ = try strata("bench", "disk:store", "-c", "50")
      let folder = strata.place.appending(path: "store")
      func files() throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
          let file = folder.appending(path: name)
          found[name] = FileManager.default.contents(atPath: file.path) ?? Data()
        }
        return found
      }
      let before = try files()
      for words in [["ls"], ["get"], ["info"], ["stats"], ["verify"], ["dump"]] {
        #expect(try strata.run([words[0], "disk:store"] + (words[0] == "get" ? ["a"] : [])).status == 0)
      }
      #expect(try files() == before)
    }
  }

  @Test func damageEndsWithStatus4() async throws {
    try await inFolder { strata in
      for number in 0..<20 {
        _ = try strata.run(["put", "disk:s", "key \(number)"], input: Data(repeating: 0x61, count: 100))
        if number == 3 { break }
      }
      let folder = strata.place.appending(path: "s")
      let log = try #require(
        FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".log") })
      let file = folder.appending(path: log)
      var bytes = try Data(contentsOf: file)
      let place = try #require(bytes.firstRange(of: Data(repeating: 0x61, count: 50))).lowerBound
      bytes[place] = 0x62
      try bytes.write(to: file)
      let result = try strata("verify", "disk:s", "--jsonl")
      #expect(result.status == 4, "\(result.errors)")
      #expect(result.output.contains(#"{"kind":"damaged","#))
      #expect(try Data(contentsOf: file) == bytes)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Damaged").path))

      #expect(try strata("repair", "disk:s").status == 6)
      #expect(try strata("repair", "disk:s", "--yes").status == 0)
      #expect(try strata("verify", "disk:s").status == 0)
      #expect(try strata("ls", "disk:s").lines.count == 3)
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "Damaged").path))
    }
  }

  @Test func aServerThatDoesNotAnswerIsBusy() async throws {
    try await inFolder { strata in
      let socket = try SilentServer(path: strata.place.appending(path: "s").path)
      let result = try strata(
        "get", "unix://\(strata.place.path)/s?namespace=n", "k", "--timeout", "100ms", "--json")
      #expect(result.status == 5, "\(result.errors)")
      #expect(try JSON(json: result.errors.utf8)["error"]?["code"] == .text("backendFailed"))
      _ = socket
    }
  }

  @Test func errorsAreJSONForPrograms() async throws {
    try await inFolder { strata in
      _ = try strata("put", "disk:s", "a", input: "1")
      let result = try strata("get", "disk:s", "b", "--json")
      #expect(
        result.errors
          == #"{"error":{"code":"notFound","message":"nothing is stored under this key","key":"b"}}"# + "\n")
      #expect(try strata("nothing", "--json").errors.hasPrefix(#"{"error":{"code":"usage","#))
    }
  }

  @Test func aReaderThatEndsEarlyCausesNoFailure() async throws {
    try await inFolder { strata in
      let lines = (0..<5000).map {
        #"{"key":"a rather long key, so that a pipe is full \#($0)","value":{"text":""}}"#
      }
      #expect(try strata("load", "disk:s", input: lines.joined(separator: "\n")).status == 0)
      let result = try strata.bash("strata ls disk:s | head -n 1; echo ${PIPESTATUS[0]}")
      #expect(result.lines.count == 2 && result.lines.last == "141")
      #expect(result.errors == "")
    }
  }

  @Test func entriesThatExpireInAFarYearAreLoadedAsTheyAreDumped() async throws {
    try await inFolder { strata in
      for (key, days) in [("far", "4000000"), ("farther", "400000000")] {
        #expect(try strata("put", "disk:s", key, "--in", "\(days)d", input: "1").status == 0)
      }
      let dump = try strata("dump", "disk:s")
      #expect(dump.lines.count == 2)
      let loaded = try strata("load", "disk:t", input: dump.output)
      #expect(loaded.output == "stored 2 entries\n", "\(loaded.errors)")
      #expect(try Set(strata("dump", "disk:t").lines) == Set(dump.lines))
    }
  }

  @Test func theErrorForAnInvalidLineNamesTheLine() async throws {
    try await inFolder { strata in
      let good = #"{"key":"a","value":{"text":"1"}}"#
      for bad in [
        "{", "[]", #"{"key":"a"}"#, #"{"key":"a","value":{"base64":"!"}}"#,
        #"{"key":"a","value":{"text":"1"},"expires":"soon"}"#, #"{"key":1,"value":{"text":"1"}}"#,
      ] {
        let result = try strata("load", "disk:s", input: "\(good)\n\n\(bad)\n")
        #expect(result.status == 1)
        #expect(result.errors.contains("line 3"), "\(result.errors)")
      }
      let past = #"{"key":"b","expires":"2001-01-01T00:00:00Z","value":{"text":"1"}}"#
      #expect(try strata("load", "disk:s", input: past).output == "stored 0 entries; 1 had expired\n")
      #expect(try strata("ls", "disk:s").output == "a\n")
    }
  }
}

/// A server on a socket that accepts connections and never answers.
struct SilentServer: ~Copyable {
  private let descriptor: CInt

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    guard isBound, listen(descriptor, 8) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  deinit { close(descriptor) }
}
