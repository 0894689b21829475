import Dispatch
import Foundation
import StrataCore
import StrataNetwork
import TestSupport
import Testing

@testable import StrataPostgres

#if os(Linux)
  /// Calls whose results are received on the calling thread instead of the event loop.
  @Suite(.endsInTime) struct PostgresOwnWaitTests {
    private static let query = Query("SELECT $1::bytea", [.bytes], isRead: true)

    private func call(_ value: String) -> Call {
      Call(Statement(Self.query) { $0.append(value.utf8) }, deadline: .now + .seconds(60))
    }

    private func result(_ call: Call) async throws -> String {
      try await call.wait {}.text(0, 0) ?? ""
    }

    private func connection() async throws -> Connection {
      let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
      let config = try await PostgresServer.shared.value.config
      let connection = Connection(
        to: config.address, config, Preparing(true),
        observer: Connection.Observer(onReady: { _ in continuation.yield() }))
      for await _ in ready { break }
      return connection
    }

    @Test func resultsAreReceivedWithoutTheEventLoop() async throws {
      let connection = try await connection()
      let (isHeld, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      EventLoop.shared.execute {
        isHeld.signal()
        mayGoOn.wait()
      }
      let (first, second, third) = (call("1"), call("2"), call("3"))
      try await onThread {
        isHeld.wait()
        defer { mayGoOn.signal() }
        try connection.add(first)
        #expect(connection.waitHere(for: first, within: .seconds(30)))
        // The results of several calls arrive over one connection, in order.
        try connection.add(second)
        try connection.add(third)
        #expect(connection.waitHere(for: third, within: .seconds(30)))
        #expect(second.isFinished)
      }
      #expect(try await result(first) == "1")
      #expect(try await result(second) == "2")
      #expect(try await result(third) == "3")
      connection.close(.closed)
    }

    @Test func theEventLoopReceivesLaterResults() async throws {
      let connection = try await connection()
      for round in 0..<20 {
        let call = call("\(round)")
        let isInTime = try await onThread {
          try connection.add(call)
          return connection.waitHere(for: call, within: .zero)
        }
        if isInTime { #expect(call.isFinished) }
        // The event loop has received the result.
        try await eventually { call.isFinished }
        #expect(try await result(call) == "\(round)")
      }
      connection.close(.closed)
    }

    @Test func aLostConnectionEndsTheWait() async throws {
      let connection = try await connection()
      let call = Call(
        Statement(Query("SELECT pg_terminate_backend(pg_backend_pid())")), deadline: .now + .seconds(60))
      try await onThread {
        try connection.add(call)
        _ = connection.waitHere(for: call, within: .seconds(30))
      }
      await #expect(throws: (any Error).self) { try await call.wait {} }
      #expect(throws: Unsent.self) { try connection.add(call) }
    }
  }
#endif
