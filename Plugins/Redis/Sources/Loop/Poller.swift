#if canImport(Darwin)
  import Darwin
#else
  internal import CEpoll
  import Glibc
#endif

/// What the system says of a socket.
struct Readiness: OptionSet, Sendable {
  let rawValue: UInt8

  static let readable = Readiness(rawValue: 1)
  static let writable = Readiness(rawValue: 2)
  /// The other side has ended it, or it has failed: reading to the end shows which.
  static let ended = Readiness(rawValue: 4)
}

/// What tells one socket from all others that a poller has seen.
struct PollToken: Hashable, Sendable {
  let number: UInt64
  /// The poller itself, which was woken up.
  static let wakeUp = PollToken(number: 0)
}

/// The system's list of sockets to watch: epoll on Linux, kqueue elsewhere.
///
/// Each socket is watched for reading and for writing at once, and reported when it becomes ready, not while it is: who
/// is told reads or writes until the system says that there is no more. All functions may be called on any thread,
/// `wait` on one.
struct Poller: Sendable {
  private let descriptor: CInt

  #if canImport(Darwin)
    /// Asks the system for a list.
    init() {
      descriptor = kqueue()
      precondition(descriptor >= 0, "kqueue failed: errno \(errno)")
      change(0, EVFILT_USER, EV_ADD | EV_CLEAR, 0)
    }

    /// Starts to watch a socket. Closing it ends that.
    func add(_ socket: CInt, as token: PollToken) {
      change(UInt(socket), EVFILT_READ, EV_ADD | EV_CLEAR, token.number)
      change(UInt(socket), EVFILT_WRITE, EV_ADD | EV_CLEAR, token.number)
    }

    /// Ends the waiting of `wait`, or the next one.
    func wakeUp() { change(0, EVFILT_USER, 0, 0, NOTE_TRIGGER) }

    /// Waits for events, for ever without a timeout.
    func wait(for timeout: Duration?) -> [(PollToken, Readiness)] {
      var events = [kevent](repeating: kevent(), count: 64)
      let count: CInt
      if let timeout {
        let (seconds, attoseconds) = timeout.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        count = kevent(descriptor, nil, 0, &events, 64, &time)
      } else {
        count = kevent(descriptor, nil, 0, &events, 64, nil)
      }
      return events.prefix(max(Int(count), 0)).map { event in
        var readiness: Readiness = Int32(event.filter) == EVFILT_WRITE ? .writable : .readable
        if Int32(event.flags) & EV_EOF != 0 { readiness.insert(.ended) }
        return (PollToken(number: UInt64(UInt(bitPattern: event.udata))), readiness)
      }
    }

    private func change(_ ident: UInt, _ filter: CInt, _ flags: CInt, _ token: UInt64, _ fflags: UInt32 = 0) {
      var event = kevent(
        ident: ident, filter: Int16(filter), flags: UInt16(flags), fflags: fflags, data: 0,
        udata: UnsafeMutableRawPointer(bitPattern: UInt(token)))
      kevent(descriptor, &event, 1, nil, 0, nil)
    }
  #else
    private let alarm: CInt

    /// Asks the system for a list.
    init() {
      descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
      alarm = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
      precondition(descriptor >= 0 && alarm >= 0, "the system has no file descriptor left: errno \(errno)")
      // Reported anew with each write, so it never has to be read.
      add(alarm, as: .wakeUp)
    }

    /// Starts to watch a socket. Closing it ends that.
    func add(_ socket: CInt, as token: PollToken) {
      var event = epoll_event()
      event.events =
        EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
      event.data.u64 = token.number
      epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
    }

    /// Ends the waiting of `wait`, or the next one.
    func wakeUp() { eventfd_write(alarm, 1) }

    /// Waits for events, for ever without a timeout.
    func wait(for timeout: Duration?) -> [(PollToken, Readiness)] {
      withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
        let count = epoll_wait(descriptor, events.baseAddress, 64, timeout.map(Self.milliseconds) ?? -1)
        return events.prefix(max(Int(count), 0)).map { event in
          var readiness: Readiness = []
          if event.events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
          if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
          if event.events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
            readiness.insert(.ended)
          }
          return (PollToken(number: event.data.u64), readiness)
        }
      }
    }

    /// Whole milliseconds, rounded up: a timer must have come when it is looked at.
    private static func milliseconds(_ duration: Duration) -> CInt {
      let (seconds, attoseconds) = duration.components
      if seconds >= 86_400 { return 86_400_000 }
      return CInt(max(seconds, 0)) * 1000
        + CInt((max(attoseconds, 0) + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  #endif
}
