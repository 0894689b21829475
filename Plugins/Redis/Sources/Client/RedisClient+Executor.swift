import StrataNetwork

extension RedisClient {
  /// A task executor on the thread that communicates with the servers, for tasks that do little else than call them.
  ///
  /// ```swift
  /// await withTaskExecutorPreference(RedisClient.executor) {
  ///   for key in keys { await warmUp(key) }
  /// }
  /// ```
  ///
  /// On other executors each reply has to wake up a thread for its task, which takes longer than the rest of the call.
  /// On this thread, which all clients share, a call costs about half, and concurrent commands are sent together. Code
  /// that blocks or computes for long must not run here: meanwhile no client communicates with its server.
  public static var executor: any TaskExecutor { EventLoop.shared }
}
