#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import StrataCore

/// The identity of the current boot: memory that processes shared before it is gone, whatever a file says.
enum Boot {
  /// The identity, once read: no process outlives a boot.
  private static let known = Locked<[UInt64]?>(nil)

  /// Numbers that no other boot has. Each process reads them once.
  static var identity: [UInt64] {
    get throws(SystemError) {
      if let known = known.withLock({ $0 }) { return known }
      let identity = try read()
      known.withLock { $0 = identity }
      return identity
    }
  }

  private static func read() throws(SystemError) -> [UInt64] {
    var text = [UInt8](repeating: 0, count: 64)
    #if canImport(Darwin)
      var count = text.count
      if sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == -1 {
        throw SystemError("sysctlbyname", "kern.bootsessionuuid")
      }
    #else
      // In a jail without /proc the boot is unknown. A random identity then invalidates every file that could be older.
      guard let file = try File.existing("/proc/sys/kernel/random/boot_id") else {
        return [.random(in: .min ... .max)]
      }
      let result = text.withUnsafeMutableBytes { buffer in
        Result { () throws(SystemError) in try file.read(into: buffer, at: 0) }
      }
      _ = try result.get()
    #endif
    return text.withUnsafeBytes { bytes in (0..<8).map { bytes.number(at: 8 * $0) } }
  }
}
