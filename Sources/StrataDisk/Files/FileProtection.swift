#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The system's protection of files with keys or values while the device is locked.
///
/// The shared control file keeps the system's default. It holds neither keys nor values, and it is mapped into memory,
/// which must stay accessible while the device is locked.
struct FileProtection: Sendable {
  /// Protects a new file that no other thread uses yet.
  let protect: @Sendable (_ path: String) throws(SystemError) -> Void

  init(_ protect: @escaping @Sendable (_ path: String) throws(SystemError) -> Void) { self.protect = protect }

  /// Creates the protection that a configuration names. Linux and macOS have none, so there it does nothing.
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
