import StrataCore
import StrataNetwork

/// The connections to a PostgreSQL server, which stores share.
///
/// ```swift
/// let client = PostgresClient(config: try PostgresConfig(url: "postgres://cache@db.internal/app"))
/// let users = try PostgresStorage<String>(client: client, table: "users")
/// let pages = try PostgresStorage<String>(client: client, table: "pages")   // Over the same connections.
/// ```
///
/// A client connects at its first call, and again after a loss. It closes its connections when the last reference is
/// released.
public final class PostgresClient: Sendable {
  /// The configuration of the client.
  public let config: PostgresConfig
  private let pool: Pool
  /// A connection that is not shared with statements of stores: it ends lost connections, and waits for locks.
  private let control: Pool
  let listener: Listener
  var reconnections: Reconnections { pool.reconnections }

  /// Creates a client. It connects at the first call.
  public init(config: PostgresConfig) {
    self.config = config
    let preparing = Preparing(config.preparedStatements)
    var own = config
    own.connections = 1
    control = Pool(own, Preparing(false))
    let fence = Fence(control, config.timeout)
    let lanes = (0..<max(config.connections, 1)).map { _ in Pool(own, preparing, fence) }
    pool = Pool(config, preparing, fence, LockWaits(control, lanes: lanes, config.timeout))
    listener = Listener(config, pool: pool)
  }

  deinit { close() }

  /// Ends all connections. Waiting and later calls fail.
  public func close() {
    listener.close()
    pool.close()
    control.close()
  }

  /// A task executor on the thread that communicates with the servers, for tasks that do little else than call them.
  ///
  /// ```swift
  /// await withTaskExecutorPreference(PostgresClient.executor) {
  ///   for key in keys { await warmUp(key) }
  /// }
  /// ```
  ///
  /// On other executors each reply has to wake up a thread for its task. Code that blocks or computes for long must not
  /// run here: meanwhile no client communicates with its server.
  public static var executor: any TaskExecutor { EventLoop.shared }

  /// Executes a statement and returns its rows. Throws a `StorageError`, or `CancellationError`.
  ///
  /// A statement that was not sent before a connection was lost is sent over the next one; while no server answers, it
  /// waits. A read that may have been
  /// sent is repeated once. A statement that the server has rolled back because of a conflict with another one is
  /// repeated.
  func run(_ statement: Statement) async throws -> Rows {
    do {
      return try await pool.run(statement, by: .now + config.timeout)
    } catch let error as StorageError {
      throw error.with(place: config.address.description)
    } catch let error as PostgresServerError {
      throw StorageError.refusal(error).with(place: config.address.description)
    } catch let error as PostgresConnectionError {
      throw StorageError.unanswered(error, at: config.address.description)
    }
  }

  /// Returns an error for users of a store, with the operation and the key added.
  func explained(_ error: any Error, _ aim: String, _ key: (any Sendable)? = nil) -> any Error {
    guard let error = error as? StorageError else { return error }
    if error == .notFound || error == .leaseLost { return error.with(key: key) }
    return error.with(
      "cannot \(aim): \(error.message)", key: key, place: error.place ?? config.address.description)
  }
}

extension Pool {
  /// Executes a statement. Throws a `PostgresServerError`, a `PostgresConnectionError`, a `StorageError` if a lost
  /// write is in its way, or `CancellationError`.
  func run(_ statement: Statement, by deadline: ContinuousClock.Instant) async throws -> Rows {
    var mayRepeat = statement.query.isRead
    var isRenewed = false
    try await fence?.wait(for: statement, by: deadline)
    if let lockWaits, lockWaits.hold(statement) { return try await lockWaits.run(statement, by: deadline) }
    while true {
      let call = Call(statement, deadline: deadline)
      do {
        let connection = try next()
        return try await call.wait {
          do throws(Unsent) { try send(call, over: connection) } catch { call.finish(.failure(error)) }
        }
      } catch let error as Unsent {
        // The next iteration uses another connection, or throws the reason why there is none.
        if error.reason == .closed || ContinuousClock.now >= deadline { throw error.reason }
        if case .refused = error.reason, !error.reason.mayPass { throw error.reason }
      } catch let error as PostgresConnectionError where error.mayPass {
        // Nothing was sent: a server that restarts has the time of the call for it.
        if try await !pause(until: deadline) { throw error }
      } catch let error as WaitsForLock {
        guard let lockWaits else { throw error }
        return try await lockWaits.run(statement, by: deadline)
      } catch is Unprepared {
        // This call prepares the statement itself, and gets the reason if it cannot be prepared.
        if ContinuousClock.now >= deadline { throw PostgresConnectionError.timedOut }
      } catch let error as OutdatedPlan {
        // A pooler may have one statement for all names of a text.
        if isRenewed { preparing.turnOff() } else { preparing.renew(statement.query, error.name) }
        isRenewed = true
        if ContinuousClock.now >= deadline { throw PostgresConnectionError.timedOut }
      } catch PostgresConnectionError.lost where mayRepeat {
        mayRepeat = false
      } catch let error as PostgresServerError {
        if error.sqlState.hasPrefix("57P"), error.sqlState != "57P03" {
          // The server ends the connection; whether it has committed is unknown.
          guard mayRepeat else { throw PostgresConnectionError.lost(error.message) }
          mayRepeat = false
        } else if error.meansUnprepared, ContinuousClock.now < deadline {
          // A pooler has sent the statement over a server connection on which it was not prepared. Each of several
          // calls in flight may get this error.
          preparing.turnOff()
        } else if !error.isRolledBack || ContinuousClock.now >= deadline {
          throw error
        }
      }
    }
  }
}

extension PostgresConnectionError {
  /// Whether a later attempt to connect may succeed.
  fileprivate var mayPass: Bool {
    switch self {
    case .unreachable: true
    case .refused(let error): error.sqlState == "57P03"
    case .lost, .timedOut, .closed: false
    }
  }
}

extension PostgresServerError {
  /// Whether the server has no statement of that name, or another statement. Nothing was executed.
  fileprivate var meansUnprepared: Bool { sqlState == "26000" || sqlState == "42P05" }

  /// Whether the server has rolled the statement back because of a deadlock or a conflict with another one.
  fileprivate var isRolledBack: Bool { sqlState == "40P01" || sqlState == "40001" }
}
