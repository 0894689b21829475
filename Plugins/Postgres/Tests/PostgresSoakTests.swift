import Foundation
import Strata
import StrataNetwork
import StrataTestKit
import TestSupport
import Testing

@testable import StrataPostgres

/// Two processes use one table, each with memory in front, while their listeners are terminated again and again. A read
/// that begins after its process was notified of a change must not return an older value.
///
/// Values only grow. After a write, its process sends a mark with the value over the listeners' connections. A process
/// that has received the mark has therefore received the invalidation before it.
@Suite(.endsInTime) struct PostgresCoherenceSoakTests {
  private static let keys = 8
  private static let tasks = 8
  private static let operations = Soak.rounds(1500, soak: 100_000)

  @Test func noReadIsOlderThanANotifiedChange() async throws {
    if let arguments = SecondProcess.arguments {
      await SecondProcess.run {
        let config = PostgresConfig(
          port: UInt16(arguments[0]) ?? 0, user: "strata", password: PostgresServer.password,
          timeout: .seconds(60),
          connectTimeout: .seconds(30))
        let (stale, hits) = try await Self.work(config, table: arguments[1], seed: UInt64(arguments[2]) ?? 0)
        SecondProcess.say("stale: \(stale), hits: \(hits > 0)")
      }
    }
    let server = try await PostgresServer.shared.value
    let table = "coherent \(UInt32.random(in: 0 ... .max))"
    let other = try SecondProcess.start(words: ["\(server.port)", table, "\(Soak.seed &+ 1)"])
    let isDone = Shared(false)
    let (stale, hits) = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !isDone.value || other.isRunning {
          try await server.endListeners()
          try await Task.sleep(for: .milliseconds(Soak.rounds(100, soak: 1000)))
        }
      }
      let result = try await Self.work(server.config, table: table, seed: Soak.seed)
      isDone.change { $0 = true }
      try await group.waitForAll()
      return result
    }
    #expect(stale == [] && hits > 0, "STRATA_SEED=\(Soak.seed)")
    #expect(other.wait() == .exit(0))
    let said = try other.lines
    #expect(said.contains("stale: [], hits: true"), "\(said.suffix(3))")
  }

  /// Reads and writes in one process. Returns the stale reads, and the number of reads served from memory.
  private static func work(_ config: PostgresConfig, table: String, seed: UInt64) async throws -> (
    [String], Int
  ) {
    let peer = try Peer(config, table: table)
    /// The highest value of each key of which this process was notified.
    let floors = Shared<[String: Int]>([:])
    let stale = Shared<[String]>([])
    let hits = Shared(0)
    peer.back.client.listener.add(
      Listener.Subscriber(prepare: { "marks of \(table)" }) { message in
        guard case .keys(let marks) = message else { return }
        for mark in marks {
          let parts = String(decoding: mark, as: UTF8.self).split(separator: ":")
          guard parts.count == 2, let value = Int(parts[1]) else { continue }
          floors.change { $0[String(parts[0])] = max($0[String(parts[0])] ?? 0, value) }
        }
      })
    let notify = Query("SELECT pg_notify($1, $2)", [.text, .text])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var dice = SeededGenerator(seed: seed &+ UInt64(task) &* 7_919)
          var done = 0
          // Continues until memory has served a read, since nothing is tested otherwise: a listener that is terminated
          // repeatedly may receive nothing for a while.
          while done < operations / tasks || hits.value == 0 {
            done += 1
            let key = "k\(Int.random(in: 0..<keys, using: &dice))"
            if Int.random(in: 0..<20, using: &dice) == 0 {
              let value = try await peer.back.increment(forKey: key, by: 1)
              let mark = Data("\(key):\(value)".utf8).base64EncodedString()
              _ = try await peer.back.client.run(
                Statement(notify) {
                  $0.append("marks of \(table)".utf8)
                  $0.append(mark.utf8)
                })
            } else {
              let floor = floors.value[key] ?? 0
              let isHit = peer.chain.peek(forKey: key) != nil
              let value = try await peer.chain.objectIfPresent(forKey: key) ?? 0
              if value < floor { stale.change { $0.append("\(key) is \(value), not \(floor)") } }
              if isHit { hits.change { $0 += 1 } } else { await Task.yield() }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<keys {
      let key = "k\(number)"
      try await eventually {
        let truth = try await peer.back.objectIfPresent(forKey: key).map {
          String(decoding: $0, as: UTF8.self)
        }
        return try await peer.chain.objectIfPresent(forKey: key).map(String.init) == truth
      }
    }
    return (stale.value, hits.value)
  }
}
