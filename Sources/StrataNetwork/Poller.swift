#if canImport(Darwin)
  import Darwin
#else
  internal import CEpoll
  import Glibc
#endif

/// The events of a socket.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: 1)
  package static let writable = Readiness(rawValue: 2)
  /// The peer has closed the connection, or it has failed. Reading to the end shows which.
  package static let ended = Readiness(rawValue: 4)
}

/// The identity of a socket among all that a poller has ever watched.
package struct PollToken: Hashable, Sendable {
  let number: UInt64
  /// The poller itself was woken up.
  static let wakeUp = PollToken(number: 0)
}

/// The system's event queue for sockets: epoll on Linux, kqueue elsewhere.
///
/// Strata's sockets are watched for reading and writing, edge-triggered: after an event the client must read or write
/// until the call would block. The sockets of other libraries are watched for the events that the caller chooses,
/// level-triggered. All functions may be called on any thread, but `wait` only on one.
struct Poller: Sendable {
  private let descriptor: CInt

  #if canImport(Darwin)
    /// Creates the event queue.
    init() {
      descriptor = kqueue()
      precondition(descriptor >= 0, "kqueue failed: errno \(errno)")
      change(0, EVFILT_USER, EV_ADD | EV_CLEAR, 0)
    }

    /// Watches a socket until it is closed.
    func add(_ socket: CInt, as token: PollToken) {
      change(UInt(socket), EVFILT_READ, EV_ADD | EV_CLEAR, token.number)
      change(UInt(socket), EVFILT_WRITE, EV_ADD | EV_CLEAR, token.number)
    }

    /// Watches a socket, level-triggered, until it is closed. A second call replaces the first.
    func watch(_ socket: CInt, for readiness: Readiness, as token: PollToken) {
      let isWanted = [(EVFILT_READ, Readiness.readable), (EVFILT_WRITE, .writable)]
      for (filter, kind) in isWanted {
        change(UInt(socket), filter, readiness.contains(kind) ? EV_ADD : EV_DELETE, token.number)
      }
    }

    /// Wakes the current call of `wait`, or the next one.
    func wakeUp() { change(0, EVFILT_USER, 0, 0, NOTE_TRIGGER) }

    /// Waits for events. Without a timeout there is no time limit.
    func wait(for timeout: Duration?) -> [(PollToken, Readiness)] {
      var events = Array(repeating: kevent(), count: 64)
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

    /// Creates the event queue.
    init() {
      descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
      alarm = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
      precondition(descriptor >= 0 && alarm >= 0, "the system has no file descriptor left: errno \(errno)")
      // Every write to the descriptor is a new event, so it need not be read.
      add(alarm, as: .wakeUp)
    }

    /// Watches a socket until it is closed.
    func add(_ socket: CInt, as token: PollToken) {
      var event = epoll_event()
      event.events =
        EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
      event.data.u64 = token.number
      epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
    }

    /// Watches a socket, level-triggered, until it is closed. A second call replaces the first.
    func watch(_ socket: CInt, for readiness: Readiness, as token: PollToken) {
      var event = epoll_event()
      event.events = EPOLLRDHUP.rawValue
      if readiness.contains(.readable) { event.events |= EPOLLIN.rawValue }
      if readiness.contains(.writable) { event.events |= EPOLLOUT.rawValue }
      event.data.u64 = token.number
      // The system stops watching a socket when it is closed. Its number may then belong to a new socket, which is not
      // watched yet.
      if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) != 0 {
        epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
      }
    }

    /// Wakes the current call of `wait`, or the next one.
    func wakeUp() { eventfd_write(alarm, 1) }

    /// Waits for events. Without a timeout there is no time limit.
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

    /// Returns the duration rounded up to milliseconds, so that a timer is due when `wait` returns.
    private static func milliseconds(_ duration: Duration) -> CInt {
      let (seconds, attoseconds) = duration.components
      if seconds >= 86_400 { return 86_400_000 }
      return CInt(max(seconds, 0)) * 1000
        + CInt((max(attoseconds, 0) + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  #endif
}
