extension PostgresServer {
  /// Terminates the connections on which clients listen.
  func endListeners() async throws {
    try await run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'strata' AND query LIKE 'LISTEN%'
      """)
  }
}
