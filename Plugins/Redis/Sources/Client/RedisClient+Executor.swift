extension RedisClient {
  /// Where tasks run best that do little else than ask servers: on the thread that talks to them.
  ///
  /// ```swift
  /// await withTaskExecutorPreference(RedisClient.executor) {
  ///   for key in keys { await warmUp(key) }
  /// }
  /// ```
  ///
  /// Elsewhere each answer has to wake up a thread for its task, which takes longer than everything else: on this
  /// thread, which all clients share, a call costs about half, and many at a time go out together. Nothing that blocks
  /// or computes for long may run here: meanwhile no server is heard.
  public static var executor: any TaskExecutor { EventLoop.shared }
}
