import Foundation
import Testing

/// Interrupts and kills commands, and checks the stores and files that they leave.
@Suite struct InterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func anInterruptedLoadKeepsTheLinesThatItHasRead(_ signal: CInt) async throws {
    try await inFolder { strata in
      let pipe = strata.place.appending(path: "pipe")
      guard mkfifo(pipe.path, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      // The pipe is open for writing as long as the test runs, so that the command never reads an end.
      let lines = try FileHandle(forUpdating: pipe)
      try lines.write(contentsOf: Data("\(Self.line(1))\n\(Self.line(2))\n{\"key\":".utf8))
      let running = try strata.start(["load", "disk:s"], input: pipe)
      try waitUntil { () throws in
        var left: CInt = 0
        return ioctl(lines.fileDescriptor, UInt(FIONREAD), &left) == 0 && left == 0
      }
      running.child.send(signal)
      let result = try running.finish()
      #expect(result.status == 128 + signal)
      #expect(result.errors == "strata: interrupted: stored 2 entries, up to line 2\n")
      #expect(try strata("ls", "disk:s", "--sort", "key").output == "key 1\nkey 2\n")
    }
  }

  @Test func anInterruptedMeasurementRemovesItsEntries() async throws {
    try await inFolder { strata in
      #expect(try strata("put", "disk:s", "other", input: "1").status == 0)
      let running = try strata.start(
        ["bench", "disk:s", "--count", "20000", "--size", "1"], input: URL(filePath: "/dev/null"))
      try waitUntil { try strata("ls", "disk:s", "strata-bench/*", "--limit", "1").lines.count == 1 }
      running.child.send(SIGINT)
      let result = try running.finish()
      #expect(result.status == 130)
      #expect(result.errors == "strata: interrupted: the entries of the measurement were removed\n")
      #expect(try strata("ls", "disk:s").output == "other\n")
    }
  }

  /// Copies 1500 entries; with STRATA_SOAK=1 a million.
  @Test func aKilledCopyThroughManyBackendsCanBeContinued() async throws {
    try await inFolder { strata in
      let count = Soak.isRunning ? 1_000_000 : 1500
      let file = strata.place.appending(path: "lines")
      try Data((0..<count).map { Self.line($0) + "\n" }.joined().utf8).write(to: file)
      let stores = try [Backend.disk, .sqlite, .redis, .lmdb].map { try $0.address("store", in: strata) }
      #expect(try strata("load", stores[0], file.path).output.hasPrefix("stored "))
      for (from, to) in zip(stores, stores.dropFirst() + ["disk:end"]) {
        let words = ["copy", from, to]
        let running = try strata.start(
          words + ["--rate", "\(count * 5)"], input: URL(filePath: "/dev/null"))
        try waitUntil { try !strata("ls", to, "--limit", "1").output.isEmpty }
        running.child.send(SIGKILL)
        #expect(try running.finish().status == 128 + SIGKILL)
        let resumed = try strata.run(words)
        #expect(resumed.output.contains(" were there already"), "\(resumed)")
      }
      let difference = try strata("diff", stores[0], "disk:end")
      #expect(difference.status == 0 && difference.errors.hasSuffix(" entries, no difference\n"))
      #expect(try strata("info", "disk:end", "--json").output.contains("\"entries\": \(count)"))
    }
  }

  private static func line(_ number: Int) -> String {
    let expiry = number % 3 == 0 ? "null" : "\"2040-01-01T00:00:\(10 + number % 50)Z\""
    return #"{"key":"key \#(number)","expires":\#(expiry),"value":{"text":"value \#(number)"}}"#
  }

  /// Waits until a condition holds. Throws after 20 seconds.
  private func waitUntil(_ condition: () throws -> Bool) throws {
    let end = Date().addingTimeInterval(20)
    while try !condition() {
      try #require(Date() < end, "it does not come true")
      usleep(1000)
    }
  }
}
