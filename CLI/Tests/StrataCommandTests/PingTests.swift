import Foundation
import Testing

@testable import StrataCommand

/// Tests `ping` with stores that answer, refuse, hang or do not exist.
@Suite struct PingTests {
  @Test(arguments: Backend.installed) func aStoreAnswers(_ backend: Backend) async throws {
    try await inFolder { strata in
      let strata = backend.prepared(strata)
      let store = try backend.address("store", in: strata)
      #expect(try strata("put", store, "a", input: "1").status == 0)
      let result = try strata("ping", store, "--timeout", "15s", "--json")
      #expect(result.status == 0, "\(result)")
      let answer = try #require(JSON(json: result.bytes).elements?.first)
      #expect(answer["store"] == .text(store) && answer["available"] == .bool(true))
      #expect(answer["since"] == .null && answer["error"] == .null)
    }
  }

  @Test func oneStoreThatDoesNotAnswerIsAFailure() async throws {
    try await inFolder { strata in
      #expect(try strata("put", "disk:s", "a", input: "1").status == 0)
      let closed = "redis://127.0.0.1:\(try TestSocket().port)?namespace=n"
      let result = try strata("ping", closed, "disk:s", "disk:none")
      #expect(result.status == 1)
      let lines = result.lines
      try #require(lines.count == 4)
      #expect(lines[0].hasPrefix("\(closed): not available since 20"))
      #expect(lines[0].contains("Z: no server listens at 127.0.0.1:"))
      #expect(lines[1] == "  start the server, or correct the address")
      #expect(lines[2].hasPrefix("disk:s: answers in "))
      #expect(lines[3].contains("there is no folder at none"))
      #expect(!FileManager.default.fileExists(atPath: strata.place.path + "/none"))
      let json = try JSON(json: strata("ping", closed, "--json").bytes).elements?.first
      #expect(json?["available"] == .bool(false) && json?["seconds"] == .null)
      #expect(json?["error"]?["advice"] == .text("start the server, or correct the address"))
    }
  }

  @Test(arguments: ["redis://127.0.0.1:PORT?namespace=n", "postgres://a@127.0.0.1:PORT/db?table=t"])
  func aServerThatHangsIsNotWaitedFor(_ address: String) async throws {
    try await inFolder { strata in
      let hanging = try TestSocket(isListening: true)
      let store = address.replacing("PORT", with: "\(hanging.port)")
      let start = ContinuousClock.now
      let result = try strata("ping", store, "--timeout", "200ms")
      #expect(result.status == 1 && result.output.contains("not available since"), "\(result)")
      // The clients' own timeouts are longer.
      #expect(ContinuousClock.now - start < .seconds(4))
    }
  }

  @Test func questionsAreRepeatedAndSummedUp() async throws {
    try await inFolder { strata in
      let store = try Backend.redis.address("store", in: strata)
      let result = try strata("ping", store, "-c", "3", "-i", "1ms")
      #expect(result.status == 0 && result.lines.count == 3)
      #expect(result.errors.hasPrefix("\(store): 3 of 3 answered, min "), "\(result.errors)")
      #expect(try strata("ping", store, "-c", "2", "-i", "1ms", "--quiet").errors == "")
      let terminal = try PseudoTerminal(strata, ["ping", "disk:none", "-c", "0", "-i", "1ms"])
      #expect(terminal.wait(for: "no folder") && terminal.wait(for: "no folder"))
      terminal.interrupt()
      let end = terminal.finish()
      #expect(end.status == 130 && end.screen.contains("interrupted: asked "), "\(end)")
    }
  }

  @Test func aWrongAddressIsAnErrorOfUse() async throws {
    try await inFolder { strata in
      for (address, status) in [("what:x", 2), ("redis://127.0.0.1", 2), ("disk:s?x=y", 2), ("nothing", 3)] {
        let result = try strata("ping", address)
        #expect(result.status == status && result.output == "", "\(address) \(result)")
      }
      #expect(try strata("ping").status == 2)
    }
  }
}
