#if os(Linux)
  import Glibc
  import TestSupport

  @_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt

  /// Runs `body` on a new thread with an ordinary user's access to files: for a superuser no file is read-only.
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
