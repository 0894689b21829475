import Foundation
import Testing

@testable import StrataCommand

/// Tests that damaged entries are skipped and named, and that all others are still read. A test damages bytes in the
/// files of a store.
@Suite struct DamageTests {
  private static let damaged = ["key 05", "key 17", "key 30"]
  private static let sound = (0..<41).map(name).filter { !damaged.contains($0) }

  private static func name(_ number: Int) -> String { "key \(number < 10 ? "0" : "")\(number)" }

  /// Creates a store of 41 entries, and flips a byte in each of three of them.
  private func damagedStore(_ backend: Backend, in strata: Strata) throws -> String {
    let store = try backend.address("store", in: strata)
    let lines = (0..<41).map { number in
      let value = String(repeating: "the value of \(Self.name(number)), ", count: 20)
      return #"{"key":"\#(Self.name(number))","expires":null,"value":{"text":"\#(value)"}}"#
    }
    #expect(try strata("load", store, input: lines.joined(separator: "\n")).status == 0)
    for key in Self.damaged { #expect(try flip(backend, key, in: strata.place) == 1) }
    return store
  }

  /// Flips a byte of an entry that its backend checks. Returns the number of places.
  private func flip(_ backend: Backend, _ key: String, in place: URL) throws -> Int {
    let (mark, offset): (Data, Int) =
      switch backend {
      // The length of the value, in the head of the row: 420 bytes, as SQLite writes it.
      case .sqlite: (Data([0x86, 0x54] + key.utf8), 0)
      default: (Data("the value of \(key)".utf8), 3)
      }
    var count = 0
    for path in try #require(FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)) {
      guard let path = path as? URL, !path.hasDirectoryPath,
        var bytes = FileManager.default.contents(atPath: path.path),
        let range = bytes.range(of: mark)
      else { continue }
      bytes[range.lowerBound + offset] ^= 0x20
      try bytes.write(to: path)
      count += 1
    }
    return count
  }

  /// Checks that a command was done for the sound entries, and named the damaged ones.
  private func expectSkipped(_ result: Strata.Result, _ comment: Comment) {
    #expect(result.status == 7, "\(comment): \(result.errors)")
    for key in Self.damaged { #expect(result.errors.contains("strata: skipped \(key): "), "\(comment)") }
    #expect(result.errors.contains("strata: 3 entries skipped, for damage"), "\(comment)")
    #expect(!result.errors.contains("Read-only file system"), "\(comment): \(result.errors)")
  }

  @Test(arguments: [Backend.disk, .files, .sqlite])
  func commandsGoOnWithoutDamagedEntries(_ backend: Backend) async throws {
    try await inFolder { strata in
      let store = try damagedStore(backend, in: strata)
      let info = try strata("info", store)
      expectSkipped(info, "info")
      #expect(info.output.contains("entries         38\n"))
      let list = try strata("ls", store, "--long")
      expectSkipped(list, "ls")
      #expect(list.lines.map { String($0.suffix(6)) }.sorted() == Self.sound)
      let sorted = try strata("ls", store, "--sort", "size")
      expectSkipped(sorted, "ls --sort")
      #expect(sorted.lines == Self.sound)
      let stats = try strata("stats", store)
      expectSkipped(stats, "stats")
      #expect(stats.output.hasPrefix("38 entries"))
      let dump = try strata("dump", store)
      expectSkipped(dump, "dump")
      #expect(dump.lines.count == 38)
      let copy = try strata("copy", store, "disk:copy")
      expectSkipped(copy, "copy")
      #expect(copy.output.hasPrefix("copied 38 entries"))
      #expect(try strata("ls", "disk:copy", "--sort", "key").lines == Self.sound)
      for key in Self.damaged { #expect(try strata("put", "disk:copy", key, input: "1").status == 0) }
      for result in [try strata("diff", store, "disk:copy"), try strata("diff", "disk:copy", store)] {
        #expect(result.output == "", "what cannot be read is no difference")
        #expect(result.status == 7 && result.errors.contains("skipped key 05"), "\(result.errors)")
      }
    }
  }

  /// The head of a record contains its key, and a full segment is read by its table of contents.
  @Test(arguments: 0..<8) func anEntryWhoseKeyCannotBeReadIsNamedByItsPlace(_ part: Int) async throws {
    try await inFolder { strata in
      let store = try Backend.disk.address("store", in: strata)
      let value = String(repeating: "v", count: 1000)
      let lines = (0..<700).map { #"{"key":"key \#($0)","expires":null,"value":{"text":"\#(value)"}}"# }
      #expect(try strata("load", store, input: lines.joined(separator: "\n")).status == 0)
      let segment = strata.place.appending(path: "store/0000000000000001.log")
      var bytes = try Data(contentsOf: segment)
      // Behind the 36 bytes of the head is the key.
      let start = try #require(bytes.range(of: Data("key 7v".utf8))).lowerBound - 36
      bytes[start + 8 + 4 * part] ^= 0x20
      try bytes.write(to: segment)
      for words in [
        ["ls", store], ["ls", store, "--long"], ["dump", store], ["copy", store, "disk:copy"],
      ] {
        let result = try strata.run(words)
        #expect(result.status == 7, "\(words) \(result.errors)")
        #expect(result.errors.contains("from \(start) on, are damaged"), "\(words) \(result.errors)")
        #expect(words[0] == "copy" || result.lines.count == 699)
        #expect(try strata.run(words + ["--strict"]).status == 4)
      }
      #expect(try strata("ls", "disk:copy").lines.count == 699)
      #expect(try strata("repair", store, "--yes").status == 0)
      #expect(try strata("ls", store).status == 0)
    }
  }

  @Test(arguments: [Backend.disk, .files, .sqlite])
  func strictCommandsEndAtTheFirstDamage(_ backend: Backend) async throws {
    try await inFolder { strata in
      let store = try damagedStore(backend, in: strata)
      for words in [
        ["info", store], ["ls", "-l", store], ["stats", store], ["dump", store], ["copy", store, "disk:c"],
      ] {
        let result = try strata.run(words + ["--strict"])
        #expect(result.status == 4, "\(words) \(result.errors)")
        #expect(result.errors.contains("strata verify lists"), "\(result.errors)")
        // SQLite reads every row to measure the table for info, without the key.
        let isMeasured = backend == .sqlite && words[0] == "info"
        #expect(result.errors.contains("key: key ") || isMeasured, "\(result.errors)")
      }
    }
  }

  @Test func errorsOfDamageAreJSONWithKeyAndAdvice() async throws {
    try await inFolder { strata in
      let store = try damagedStore(.disk, in: strata)
      let lines = try strata("dump", store, "--jsonl").errors.split(separator: "\n").filter {
        $0.hasPrefix("{")
      }
      let errors = try lines.map { try #require(JSON(json: Data($0.utf8))["error"]) }
      #expect(
        errors.compactMap { $0["key"] }.map(\.compact).sorted() == Self.damaged.map { JSON.text($0).compact })
      #expect(errors.last?["code"] == .text("skipped"))
      #expect(errors.last?["advice"] != nil)
      let get = try JSON(json: Data(strata("get", store, "key 05", "--json").errors.utf8))
      #expect(get["error"]?["key"] == .text("key 05"))
      #expect(get["error"]?["advice"] != nil)
    }
  }

  @Test(arguments: [Backend.disk, .files, .sqlite])
  func findingsNameKeys(_ backend: Backend) async throws {
    try await inFolder { strata in
      let store = try damagedStore(backend, in: strata)
      let verified = try strata("verify", store, "--jsonl")
      #expect(verified.status == 4)
      let keys = try verified.lines.compactMap { try JSON(json: Data($0.utf8))["key"]?.compact }
      #expect(keys.sorted() == Self.damaged.map { JSON.text($0).compact }, "\(verified.output)")
      let text = try strata("verify", store).output
      for key in Self.damaged { #expect(text.contains(key), "\(text)") }
      guard [.disk, .files].contains(backend) else { return }
      let repaired = try strata("repair", store, "--yes").output
      for key in Self.damaged { #expect(repaired.contains("\tkey: \(key)\n"), "\(repaired)") }
      #expect(try strata("info", store).status == 0)
    }
  }
}
