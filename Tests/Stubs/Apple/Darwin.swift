// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of Darwin that this package uses and that Linux's C library lacks, or has with other types, so that
// such code type-checks on Linux.

public import FoundationNetworking
@_exported import DarwinTypes
public import Dispatch
@_exported import Glibc

// MARK: Threads, whose types are optional in other places

public func pthread_key_create(
  _ key: UnsafeMutablePointer<pthread_key_t>,
  _ destructor: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
) -> Int32 { 0 }

public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

public func pthread_self() -> OpaquePointer { fatalError() }

// MARK: Files

public struct DIR {}

public func opendir(_ path: String) -> UnsafeMutablePointer<DIR>? { nil }
public func readdir(_ folder: UnsafeMutablePointer<DIR>) -> UnsafeMutablePointer<dirent>? { nil }
@discardableResult public func closedir(_ folder: UnsafeMutablePointer<DIR>) -> Int32 { 0 }

/// There the limits are numbers, and here cases of an enumeration.
public func getrlimit(_ limit: __rlimit_resource, _ value: UnsafeMutablePointer<rlimit>) -> Int32 { 0 }

public var F_FULLFSYNC: Int32 { 51 }
public var F_BARRIERFSYNC: Int32 { 85 }

extension stat {
  public var st_mtimespec: timespec { st_mtim }
  public var st_ctimespec: timespec { st_ctim }
}

public func sysctlbyname(
  _ name: UnsafePointer<CChar>, _ old: UnsafeMutableRawPointer?, _ oldSize: UnsafeMutablePointer<Int>?,
  _ new: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { 0 }

// MARK: Processes

public var POSIX_SPAWN_CLOEXEC_DEFAULT: Int32 { 0x4000 }

public typealias SpawnActions = posix_spawn_file_actions_t?
public typealias SpawnAttributes = posix_spawnattr_t?

@discardableResult
public func posix_spawn_file_actions_init(_ actions: UnsafeMutablePointer<SpawnActions>) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_destroy(_ actions: UnsafeMutablePointer<SpawnActions>) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_adddup2(
  _ actions: UnsafeMutablePointer<SpawnActions>, _ file: Int32, _ number: Int32
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<SpawnAttributes>) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_destroy(_ attributes: UnsafeMutablePointer<SpawnAttributes>) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setflags(_ attributes: UnsafeMutablePointer<SpawnAttributes>, _ flags: Int16)
  -> Int32
{ 0 }
@discardableResult
public func posix_spawnattr_setsigmask(
  _ attributes: UnsafeMutablePointer<SpawnAttributes>, _ signals: UnsafePointer<sigset_t>
) -> Int32 { 0 }
public func posix_spawnp(
  _ process: UnsafeMutablePointer<pid_t>, _ program: UnsafePointer<CChar>,
  _ actions: UnsafePointer<SpawnActions>,
  _ attributes: UnsafePointer<SpawnAttributes>, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
  _ settings: UnsafePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 { 0 }

public func setrlimit(_ resource: __rlimit_resource, _ limit: UnsafePointer<rlimit>) -> Int32 { 0 }

// MARK: Memory

public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {
  var data: DispatchSource.MemoryPressureEvent { get }
}

extension DispatchSource {
  public struct MemoryPressureEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var warning: Self { .init(rawValue: 2) }
    public static var critical: Self { .init(rawValue: 4) }
  }

  public class func makeMemoryPressureSource(
    eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceMemoryPressure { fatalError() }
}

// MARK: Sockets and events

public var SOCK_STREAM: Int32 { 1 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var TCP_KEEPALIVE: Int32 { 0x10 }

public var EVFILT_READ: Int32 { -1 }
public var EVFILT_WRITE: Int32 { -2 }
public var EVFILT_USER: Int32 { -10 }
public var EV_ADD: Int32 { 1 }
public var EV_DELETE: Int32 { 2 }
public var EV_ENABLE: Int32 { 4 }
public var EV_DISABLE: Int32 { 8 }
public var EV_ONESHOT: Int32 { 0x10 }
public var EV_CLEAR: Int32 { 0x20 }
public var EV_EOF: Int32 { 0x8000 }
public var EV_ERROR: Int32 { 0x4000 }
public var NOTE_TRIGGER: UInt32 { 0x0100_0000 }

public func kqueue() -> Int32 { 0 }
public func kevent(
  _ queue: Int32, _ changes: UnsafePointer<kevent>?, _ changeCount: Int32,
  _ events: UnsafeMutablePointer<kevent>?,
  _ eventCount: Int32, _ timeout: UnsafePointer<timespec>?
) -> Int32 { 0 }

// What Foundation has there and lacks on Linux.

extension URLSession {
  public struct AsyncBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8
    public var task: URLSessionDataTask { fatalError() }
    public struct AsyncIterator: AsyncIteratorProtocol {
      public mutating func next() async throws -> UInt8? { fatalError() }
    }
    public func makeAsyncIterator() -> AsyncIterator { fatalError() }
  }
  public func bytes(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) { fatalError() }
}
