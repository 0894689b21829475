#if os(Linux) && (arch(x86_64) || arch(arm64))
  import Foundation
  import Glibc

  extension PageCache {
    /// Whether the system can be made to say that no byte is in the page cache.
    package static let canBeHidden =
      canTell && FileManager.default.fileExists(atPath: "/proc/sys/kernel/seccomp/actions_avail")

    /// From now on, every read of this process that must not wait fails with `EAGAIN`, as if no byte were in the page
    /// cache. Other reads work.
    ///
    /// How fast a disk answers differs between machines: a fast one may answer before the system says that the bytes
    /// are not there. With this filter of system calls, a test does not depend on that. It cannot be removed, so a
    /// test runs in a process of its own (`processExitsWith`).
    package static func hide() throws {
      guard let symbol = dlsym(nil, "syscall") else { throw POSIXError(.ENOSYS) }
      let call = unsafeBitCast(symbol, to: SystemCall.self)
      let filter: [Instruction] = [
        Instruction(code: load, k: 0),  // the number of the call
        Instruction(code: jumpIfEqual, jf: 3, k: UInt32(preadv2)),
        Instruction(code: load, k: 56),  // the sixth argument: the flags
        Instruction(code: jumpIfSet, jf: 1, k: 8),  // RWF_NOWAIT
        Instruction(code: answer, k: 0x0005_0000 | UInt32(EAGAIN)),
        Instruction(code: answer, k: 0x7fff_0000),  // the call is made
      ]
      // A process without privileges may only install a filter if it cannot gain any.
      guard call(prctl, 38, 1, 0, 0, 0) == 0 else { throw POSIXError(.EPERM) }
      let status = filter.withUnsafeBufferPointer { filter in
        var program = Program(length: UInt16(filter.count), filter: filter.baseAddress)
        return withUnsafePointer(to: &program) { call(seccomp, 1, 1, Int(bitPattern: $0), 0, 0) }
      }
      guard status == 0 else { throw POSIXError(.EPERM) }
    }

    private typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int

    /// An instruction of the filter, `struct sock_filter` of the kernel's interface.
    private struct Instruction {
      var code: UInt16
      var jt: UInt8 = 0
      var jf: UInt8 = 0
      var k: UInt32
    }

    /// The kernel's `struct sock_fprog`.
    private struct Program {
      var length: UInt16
      var filter: UnsafePointer<Instruction>?
    }

    private static let load: UInt16 = 0x20
    private static let jumpIfEqual: UInt16 = 0x15
    private static let jumpIfSet: UInt16 = 0x45
    private static let answer: UInt16 = 0x06

    #if arch(x86_64)
      private static let (preadv2, prctl, seccomp) = (327, 157, 317)
    #else
      private static let (preadv2, prctl, seccomp) = (286, 167, 277)
    #endif
  }
#else
  extension PageCache {
    package static let canBeHidden = false
    package static func hide() throws {}
  }
#endif
