#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension PostgresServer {
  /// Terminates the connections on which clients listen.
  func endListeners() async throws {
    try await run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'strata' AND query LIKE 'LISTEN%'
      """)
  }

  /// The processes of the server for connections of stores whose last statements contain a name and begin with a verb.
  func processes(of table: String? = nil, _ verb: String = "") async throws -> Set<pid_t> {
    let statements = table.map { " AND query LIKE '\(verb)%\"\($0)\"%'" } ?? ""
    let listed = try await run(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'strata%'" + statements)
    return Set(listed.split(separator: "\n").compactMap { pid_t($0) })
  }
}
