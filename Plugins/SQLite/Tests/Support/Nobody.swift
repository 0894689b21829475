#if os(Linux)
  import Glibc
  import TestSupport

  @_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt

  /// Runs `body` on its own thread with an ordinary user's access to files, since no file is read-only to a superuser.
  func onThreadAsNobody<R: Sendable>(_ body: @escaping @Sendable () -> R) async throws -> R {
    try await onThread {
      // Linux keeps this user per thread. 65534 is the user "nobody".
      let user = geteuid()
      if user == 0 { _ = setfsuid(65534) }
      defer { if user == 0 { _ = setfsuid(user) } }
      return body()
    }
  }
#endif
