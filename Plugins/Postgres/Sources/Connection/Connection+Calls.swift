internal import CPostgres
import StrataCore
import StrataNetwork

extension Connection {
  /// Sends a call, unless it is cancelled. Returns `false` if the connection is broken.
  func send(_ call: Call, _ state: inout State) -> Bool {
    guard let wire = state.wire else { return false }
    guard call.begin() else {
      count(-1)
      return true
    }
    var flight = Flight(call: call)
    let isSent = send(call.statement, &flight, wire.handle, &state.prepared)
    state.flights.append(flight)
    return isSent && PQpipelineSync(wire.handle) == 1 && flush(wire, &state)
  }

  private func send(
    _ statement: Statement, _ flight: inout Flight, _ handle: OpaquePointer, _ prepared: inout [String: Bool]
  ) -> Bool {
    let query = statement.query
    let name = preparing.name(of: query)
    flight.name = name
    if let name, prepared[name] == nil {
      flight.prepares = name
      prepared[name] = false
      guard PQsendPrepare(handle, name, query.text, CInt(query.types.count), query.types) == 1 else {
        return false
      }
    }
    return statement.parameters.withPointers { count, values, lengths, formats in
      if let name {
        PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) == 1
      } else {
        PQsendQueryParams(handle, query.text, count, query.types, values, lengths, formats, 1) == 1
      }
    }
  }

  /// Sends what libpq has buffered, as far as there is room. Returns `false` if the connection is broken.
  private func flush(_ wire: Wire, _ state: inout State) -> Bool {
    let left = PQflush(wire.handle)
    let mustWrite = left == 1
    if mustWrite != state.isWatchedForWriting, let token = state.token {
      state.isWatchedForWriting = mustWrite
      loop.watch(
        PQsocket(wire.handle), for: mustWrite ? [.readable, .writable] : .readable, as: token)
    }
    return left >= 0
  }

  func socketIsReady(_ readiness: Readiness) {
    if phase == .connecting { return continueOpening() }
    if let failure = receive() { end(failure) }
  }

  /// Receives the available results, and finishes the calls whose results are complete. Returns the reason why the
  /// connection is broken, or `nil`.
  func receive() -> PostgresConnectionError? {
    var done: [Flight] = []
    var notices: [(channel: String, payload: String)] = []
    let failure = state.withLock { state -> PostgresConnectionError? in
      guard state.phase == .ready, let wire = state.wire else { return nil }
      var isAlive = PQconsumeInput(wire.handle) == 1
      receive(wire.handle, &state, &done)
      // libpq takes as many decrypted bytes as it has room for. The socket would not show that there are others.
      while isAlive, wire.hasDecryptedBytes {
        isAlive = PQconsumeInput(wire.handle) == 1
        receive(wire.handle, &state, &done)
      }
      while let notice = PQnotifies(wire.handle) {
        notices.append((String(cString: notice.pointee.relname), String(cString: notice.pointee.extra)))
        PQfreemem(notice)
      }
      if isAlive, PQstatus(wire.handle) == CONNECTION_OK, flush(wire, &state) { return nil }
      return .lost(
        state.head?.failure?.message ?? wire.message.split(separator: "\n").joined(separator: "; "))
    }
    for (channel, payload) in notices { observer.onNotice(channel, payload) }
    for flight in done { finish(flight) }
    return failure
  }

  /// Collects the available results into the calls in flight. Finished calls are appended to `done`.
  private func receive(_ handle: OpaquePointer, _ state: inout State, _ done: inout [Flight]) {
    var wasEnd = false
    while PQisBusy(handle) == 0 {
      if state.head == nil { state.head = state.flights.popFirst() }
      guard state.head != nil else { return }
      guard let result = PQgetResult(handle).map(Rows.init) else {
        // Each statement's results end with one NULL: two mean that there are no more.
        if wasEnd { return }
        wasEnd = true
        continue
      }
      wasEnd = false
      if result.status == PGRES_PIPELINE_SYNC {
        // The server has committed the statement when this result arrives, and not before.
        if let flight = state.head { done.append(flight) }
        state.head = nil
      } else {
        state.head?.take(result, &state.prepared)
      }
    }
  }

  private func finish(_ flight: Flight) {
    count(-1)
    if let failure = flight.failure, failure.sqlState == "57014", state.withLock({ $0.isCancelled }) {
      flight.call.finish(.failure(WaitsForLock()))
    } else if flight.isUnprepared {
      flight.call.finish(.failure(Unprepared()))
    } else if let name = flight.name, flight.failure?.sqlState == "0A000" {
      flight.call.finish(.failure(OutdatedPlan(name: name)))
    } else if let failure = flight.failure {
      flight.call.finish(.failure(failure))
    } else if let result = flight.result {
      flight.call.finish(.success(result))
    } else {
      flight.call.finish(.failure(PostgresConnectionError.lost("the server sent no result")))
    }
  }
}

extension Connection.Flight {
  /// Takes a result of this call. The first failure counts.
  mutating func take(_ result: Rows, _ prepared: inout [String: Bool]) {
    if let failure = result.failure {
      if let prepares, !isPrepared { prepared[prepares] = nil }
      if self.failure != nil { return }
      self.failure = failure
      isUnprepared = failure.sqlState == "26000" && prepares == nil && name.map { prepared[$0] } != true
    } else if let prepares, !isPrepared {
      isPrepared = true
      prepared[prepares] = true
    } else {
      self.result = result
    }
  }
}
