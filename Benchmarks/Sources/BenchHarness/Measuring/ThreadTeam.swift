import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs threads that start at the same moment.
public enum ThreadTeam {
  /// Runs `work` once on each of `count` threads and waits for all; throws the first error.
  ///
  /// The time runs from the common start to the end of the last thread. A single thread is the caller's own.
  public static func run(
    _ count: Int, _ work: @escaping @Sendable (_ thread: Int) throws -> Int
  ) throws -> (nanoseconds: UInt64, checksum: Int) {
    if count == 1 {
      let watch = Stopwatch()
      let checksum = try work(0)
      return (watch.nanoseconds, checksum)
    }
    let line = StartingLine()
    let results = Mutex<[Result<Int, any Error>]>([])
    let done = DispatchGroup()
    for number in 0..<count {
      done.enter()
      try detach {
        line.wait()
        let result = Result { try work(number) }
        results.withLock { $0.append(result) }
        done.leave()
      }
    }
    line.waitForArrivals(count)
    let watch = Stopwatch()
    line.open()
    done.wait()
    let nanoseconds = watch.nanoseconds
    return (nanoseconds, try results.withLock { $0 }.reduce(0) { $0 &+ (try $1.get()) })
  }
}

/// A barrier at which threads wait for each other. They spin, since waking threads takes different times.
private final class StartingLine: Sendable {
  private let arrived = Atomic(0)
  private let isOpen = Atomic(false)

  func wait() {
    arrived.wrappingAdd(1, ordering: .releasing)
    while !isOpen.load(ordering: .acquiring) { sched_yield() }
  }

  func waitForArrivals(_ count: Int) {
    while arrived.load(ordering: .acquiring) < count { sched_yield() }
  }

  func open() { isOpen.store(true, ordering: .releasing) }
}

/// Starts a thread.
private func detach(_ work: @escaping @Sendable () -> Void) throws {
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let job = Unmanaged.passRetained(Job(work))
  let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { job in
    if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().work() }
    return nil
  }
  let status = pthread_create(&thread, nil, main, job.toOpaque())
  guard status == 0 else {
    job.release()
    throw UsageError("the system refuses to start a thread: error \(status)")
  }
  #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
}

private final class Job: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
