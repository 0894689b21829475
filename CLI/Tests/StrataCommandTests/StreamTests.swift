import Foundation
import Testing

@testable import StrataCommand

/// Stores, prints and copies values that are larger than a part.
@Suite struct StreamTests {
  init() { TestServer.startAhead }

  @Test(arguments: Backend.installed.filter { $0 != .vault })
  func largeValuesAreStoredAndPrinted(_ backend: Backend) async throws {
    try await inFolder { strata in
      let strata = backend.prepared(strata)
      let store = try backend.address("store", in: strata)
      try Large.value.write(to: strata.place.appending(path: "file"))
      let stored = try strata("put", store, "a", "file", "--at", "2040-01-01")
      #expect(stored.status == 0 && stored.errors == "stored 5.2 MB\n", "\(stored.errors)")
      #expect(try strata("cat", store, "a").bytes == Large.value)
      #expect(try strata("get", store, "a", "--as", "raw").bytes == Large.value)
      #expect(try strata("ls", store, "-l").output == "\(Large.value.count)\t2040-01-01T00:00:00Z\ta\n")
      for (skip, count) in [(0, 10), (1 << 20, 1), (2_000_000, 1_500_000), (5 << 20, 1000), (9 << 20, 5)] {
        let part = try strata("cat", store, "a", "--skip", "\(skip)", "--count", "\(count)")
        #expect(
          part.status == 0 && part.bytes == Large.value.dropFirst(skip).prefix(count), "\(skip), \(count)")
      }
      #expect(try strata("cat", store, "a", "--skip", "5MiB").bytes == Large.value.dropFirst(5 << 20))

      let refused = try strata.run(["put", store, "a", "--if-absent"], input: Large.bytes(2 << 20, 1))
      #expect(refused.status == 6 && refused.errors.contains("was not replaced"), "\(refused.errors)")
      #expect(try strata("cat", store, "a").bytes == Large.value)
      #expect(
        try strata.run(["put", store, "b", "-", "--if-absent"], input: Large.bytes(2 << 20, 1)).status == 0)
      #expect(try strata("cat", store, "b").bytes == Large.bytes(2 << 20, 1))
      #expect(try strata("rm", store, "a", "b").status == 0)
      #expect(try strata("ls", store).output == "")
    }
  }

  @Test func catExplainsItself() async throws {
    try await inFolder { strata in
      #expect(try strata("cat", "disk:s", "a").status == 3)
      #expect(try strata("put", "disk:s", "small", input: "1").status == 0)
      #expect(try strata("put", "disk:s", "empty", input: "").status == 0)
      #expect(try strata("cat", "disk:s", "a").status == 3)
      #expect(try strata("cat", "disk:s", "small").output == "1")
      let empty = try strata("cat", "disk:s", "empty")
      #expect(empty.status == 0 && empty.output == "")
      #expect(try strata("cat", "disk:s", "small", "--json").status == 2)
      #expect(try strata("cat", "disk:s", "small", "--skip", "x").status == 2)
      #expect(try strata("put", "disk:s", "a", "one", "--file", "other").status == 2)
      #expect(try strata("put", "disk:s", "a", "missing").status == 3)
      #expect(try strata("put", "disk:s", "old", "--at", "2001-01-01", input: "1").status == 0)
      let old = try strata("cat", "disk:s", "old")
      #expect(old.status == 3 && old.errors.contains("expired at 2001-01-01"), "\(old.errors)")
      #expect(try strata("cat", "disk:s", "old", "--stale").output == "1")
    }
  }

  @Test func aReaderThatEndsEarlyEndsTheCommandQuietly() async throws {
    try await inFolder { strata in
      #expect(try strata.run(["put", "disk:s", "a"], input: Large.value).status == 0)
      let result = try strata.bash("strata cat disk:s a | head -c 10; echo ${PIPESTATUS[0]}")
      #expect(result.bytes == Large.value.prefix(10) + Data("141\n".utf8))
      #expect(result.errors == "")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func anInterruptedPutStoresNothing(_ signal: CInt) async throws {
    try await inFolder { strata in
      #expect(try strata("put", "disk:s", "a", input: "old").status == 0)
      let pipe = strata.place.appending(path: "pipe")
      guard mkfifo(pipe.path, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      // The pipe stays open for writing, so that the command never reads an end.
      let writer = try FileHandle(forUpdating: pipe)
      for key in ["a", "b"] {
        let running = try strata.start(["put", "disk:s", key], input: pipe)
        // A pipe has room for 64 kB: when all is written, the command has read more than one part.
        try writer.write(contentsOf: Large.value)
        running.child.send(signal)
        let result = try running.finish()
        #expect(result.status == 128 + signal)
        #expect(result.errors.hasPrefix("strata: interrupted: nothing was stored"), "\(result.errors)")
        try Self.empty(writer)
      }
      #expect(try strata("get", "disk:s", "a").output == "old")
      #expect(try strata("ls", "disk:s").output == "a\n")
      #expect(try strata("verify", "disk:s").errors == "1 entry sound\n")
      let usage = Paths.usage(strata.place.appending(path: "s").path).bytes
      #expect(usage < 1 << 20, "the store takes \(usage) bytes")
    }
  }

  /// Reads what is left in a pipe.
  private static func empty(_ pipe: FileHandle) throws {
    var left: CInt = 0
    while ioctl(pipe.fileDescriptor, UInt(FIONREAD), &left) == 0, left > 0 {
      _ = try pipe.read(upToCount: Int(left))
    }
  }

  /// A damaged byte in the middle: the parts before it are correct, and the command fails.
  @Test func aDamagedValueIsNotPrintedToItsEnd() async throws {
    try await inFolder { strata in
      #expect(try strata.run(["put", "disk:s", "a"], input: Large.value).status == 0)
      #expect(try strata("put", "disk:s", "sound", input: "1").status == 0)
      let mark = Large.value.dropFirst(4 << 20).prefix(64)
      try Self.flip(mark, in: strata.place.appending(path: "s"))
      let result = try strata("cat", "disk:s", "a")
      #expect(result.status == 4 && Large.value.starts(with: result.bytes), "\(result.errors)")
      #expect(result.bytes.count < Large.value.count)
      let copied = try strata("copy", "disk:s", "disk:t")
      #expect(copied.status == 7 && copied.output.hasPrefix("copied 1 entry"), "\(copied)")
      #expect(try strata("ls", "disk:t").output == "sound\n")
    }
  }

  private static func flip(_ mark: Data, in folder: URL) throws {
    for path in try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)) {
      guard let path = path as? URL, !path.hasDirectoryPath,
        var bytes = FileManager.default.contents(atPath: path.path), let range = bytes.range(of: mark)
      else { continue }
      bytes[range.lowerBound + 5] ^= 1
      try bytes.write(to: path)
    }
  }

  /// 64 MiB, with STRATA_SOAK=1 256 MiB, take at most 32 MiB more memory than one byte.
  @Test(arguments: [Backend.disk, .files]) func memoryDoesNotGrowWithTheValue(_ backend: Backend) async throws
  {
    try await inFolder { strata in
      let (from, to) = (try backend.address("from", in: strata), try backend.address("to", in: strata))
      #expect(try strata("put", from, "small", input: "1").status == 0)
      guard try Large.keepsParts(from, in: strata) else { return }
      let file = strata.place.appending(path: "file")
      try Large.writeFile(file, mebibytes: Soak.isRunning ? 256 : 64)
      let null = URL(filePath: "/dev/null")
      let idle = try strata.start(["cat", from, "small"], input: null).peak()
      for words in [["put", from, "large", file.path], ["cat", from, "large"], ["copy", from, to]] {
        let peak = try strata.start(words, input: null).peak()
        #expect(peak - idle <= 32 << 20, "\(words[0]) takes \(peak), and an idle command \(idle)")
      }
      #expect(try strata.bash("cmp file <(strata cat '\(to)' large)").status == 0)
    }
  }
}
