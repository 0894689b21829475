#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How the system protects files that hold keys and values while the device is locked.
///
/// The file that processes share is left to the system's default: it is mapped into memory, which the system would take
/// away under the program's feet, and holds neither keys nor values.
struct FileProtection: Sendable {
  /// Protects a new file, of which nobody knows yet.
  let protect: @Sendable (_ path: String) throws(SystemError) -> Void

  init(_ protect: @escaping @Sendable (_ path: String) throws(SystemError) -> Void) { self.protect = protect }

  /// The protection that a configuration names. Linux and macOS have none, and there it does nothing.
  init(_ type: FileProtectionType?) {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      self.init { path throws(SystemError) in
        guard let type else { return }
        do {
          try FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: path)
        } catch {
          let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
          throw SystemError("setAttributes", path, cause.map { CInt($0.code) } ?? EPERM)
        }
      }
    #else
      self.init { _ in }
    #endif
  }
}
