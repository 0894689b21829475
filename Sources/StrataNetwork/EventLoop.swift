import StrataCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Receives the events of a socket, always on the loop's thread.
package protocol LoopClient: AnyObject, Sendable {
  /// Called when the socket has become ready.
  func socketIsReady(_ readiness: Readiness)
  /// Called after a flush was requested with `EventLoop.requestFlush`.
  func flush()
}

/// The one thread that waits for the sockets of all servers.
///
/// Code that runs on it must not block: no other server would be served meanwhile.
package final class EventLoop: Sendable {
  private struct Inbox {
    var jobs: [@Sendable () -> Void] = []
    var flushes: [any LoopClient] = []
    /// Tasks to resume on this thread.
    var tasks: [UnownedJob] = []
    /// Whether the thread is running, and will check the inbox before it waits.
    var isAwake = true

    var isEmpty: Bool { jobs.isEmpty && flushes.isEmpty && tasks.isEmpty }
  }

  private struct Clients {
    var all: [PollToken: any LoopClient] = [:]
    var lastToken = PollToken.wakeUp.number
  }

  /// The loop of this process. Its thread starts with the first use and never ends.
  package static let shared = EventLoop()

  private let poller = Poller()
  private let inbox = Locked(Inbox())
  private let clients = Locked(Clients())
  private let timers = Locked(Timers())
  /// The loop's thread, once it runs.
  private let thread = Atomic<UInt>(0)

  private init() {
    BlockingPool(width: 1).submit { [self] in run() }
  }

  /// Whether the caller runs on the loop's thread.
  package var isCurrent: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

  private static var currentThread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }

  /// Runs a job on the loop's thread, after the jobs submitted earlier.
  package func execute(_ job: @escaping @Sendable () -> Void) {
    post { $0.jobs.append(job) }
  }

  /// Runs a job on the loop's thread at a given time or later.
  package func schedule(at time: ContinuousClock.Instant, _ job: @escaping @Sendable () -> Void) {
    let isNext = timers.withLock { timers in
      timers.add(time, job)
      return timers.next == time
    }
    // Wakes the thread, so that it shortens its timeout.
    if isNext { post { _ in } }
  }

  /// Requests a flush of a client on the loop's thread, together with other requested flushes.
  package func requestFlush(_ client: any LoopClient) {
    post { $0.flushes.append(client) }
  }

  /// Watches a socket for a client, and retains the client, until it is removed.
  package func add(_ socket: Socket, for client: any LoopClient) -> PollToken {
    let token = makeToken(for: client)
    poller.add(socket.descriptor, as: token)
    return token
  }

  /// Returns a token for the socket of another library, and retains the client, until the token is removed.
  package func makeToken(for client: any LoopClient) -> PollToken {
    clients.withLock { clients in
      clients.lastToken += 1
      let token = PollToken(number: clients.lastToken)
      clients.all[token] = client
      return token
    }
  }

  /// Watches the socket of another library, or changes the events that it is watched for. The client is called
  /// repeatedly while the socket is ready.
  package func watch(_ descriptor: CInt, for readiness: Readiness, as token: PollToken) {
    poller.watch(descriptor, for: readiness, as: token)
  }

  /// Stops reporting events of a socket. The caller must also release the socket, which ends the watching.
  package func remove(_ token: PollToken) {
    clients.withLock { $0.all[token] = nil }
  }

  /// Requests a flush of a client only if the loop is awake. Returns whether it is.
  package func requestFlushIfAwake(_ client: any LoopClient) -> Bool {
    inbox.withLock { inbox in
      if inbox.isAwake { inbox.flushes.append(client) }
      return inbox.isAwake
    }
  }

  /// Resumes tasks. Their commands are sent in parts, so that a server replies to the first while the others are
  /// running.
  private func run(_ tasks: [UnownedJob]) {
    for (number, task) in tasks.enumerated() {
      task.runSynchronously(on: asUnownedTaskExecutor())
      guard number % 16 == 15 || number == tasks.count - 1 else { continue }
      let flushes = inbox.withLock { inbox in
        defer { inbox.flushes = [] }
        return inbox.flushes
      }
      for client in flushes { client.flush() }
    }
  }

  private func post(_ change: (inout Inbox) -> Void) {
    let wasAwake = inbox.withLock { inbox in
      change(&inbox)
      defer { inbox.isAwake = true }
      return inbox.isAwake
    }
    if !wasAwake { poller.wakeUp() }
  }

  private func run() {
    thread.store(Self.currentThread, ordering: .relaxed)
    var patience = Patience()
    while true {
      work()
      for (token, readiness) in nextEvents(&patience) where token != .wakeUp {
        clients.withLock { $0.all[token] }?.socketIsReady(readiness)
      }
    }
  }

  /// Waits for events of sockets, at most until there is other work.
  private func nextEvents(_ patience: inout Patience) -> [(PollToken, Readiness)] {
    var events = poller.wait(for: .zero)
    if !events.isEmpty || hasWork { return events }
    let start = ContinuousClock.now
    while events.isEmpty, !hasWork, .now - start < patience.duration {
      sched_yield()
      events = poller.wait(for: .zero)
    }
    if events.isEmpty { events = poller.wait(for: timeout()) }
    patience.learn(fromWaiting: .now - start)
    return events
  }

  private var hasWork: Bool { inbox.withLock { !$0.isEmpty } }

  /// Runs requested and due work.
  private func work() {
    let asked = inbox.withLock { inbox in
      defer { inbox = Inbox() }
      return inbox
    }
    for job in asked.jobs { job() }
    for client in asked.flushes { client.flush() }
    run(asked.tasks)
    let now = ContinuousClock.now
    while let job = timers.withLock({ $0.popDue(now) }) { job() }
  }

  /// Returns the time until there is other work.
  private func timeout() -> Duration? {
    let hasWork = inbox.withLock { inbox in
      inbox.isAwake = !inbox.isEmpty
      return inbox.isAwake
    }
    // Read after the inbox: an earlier timer that is added now wakes the poller.
    if hasWork { return .zero }
    return timers.withLock { $0.next }.map { max($0 - .now, .zero) }
  }
}

extension EventLoop: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    post { $0.tasks.append(job) }
  }
}
