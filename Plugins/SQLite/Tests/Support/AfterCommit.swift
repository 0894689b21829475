#if os(Linux)
  import CSQLite
  import StrataCore

  /// Calls a closure after each commit of any connection that was opened inside `watching`, until it returns `true`.
  /// The connection has released its lock then, and has not begun another transaction.
  enum AfterCommit {
    private static let action = Locked<(@Sendable () -> Bool)?>(nil)

    /// Runs `body`. Connections that it opens can be watched until they are closed.
    static func watching<R>(_ body: () async throws -> R) async rethrows -> R {
      // The type of C's function says nothing of its parameters.
      let entry = unsafeBitCast(onOpening, to: (@convention(c) () -> Void).self)
      sqlite3_auto_extension(entry)
      defer { sqlite3_cancel_auto_extension(entry) }
      return try await body()
    }

    static func run(_ new: @escaping @Sendable () -> Bool) { action.withLock { $0 = new } }

    private static let onOpening:
      @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CInt = {
        database, _, _ in
        // Called when a statement has ended.
        sqlite3_trace_v2(
          database, UInt32(SQLITE_TRACE_PROFILE),
          { _, _, statement, _ in
            let sql = sqlite3_sql(statement.map { OpaquePointer($0) })
            guard let sql, String(cString: sql) == "COMMIT" else { return SQLITE_OK }
            let next = AfterCommit.action.withLock { $0 }
            if next?() == true { AfterCommit.action.withLock { $0 = nil } }
            return SQLITE_OK
          }, nil)
      }
  }
#endif
