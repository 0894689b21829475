#if os(Linux)
  import Glibc
  import TestSupport

  @_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt

  /// Runs `body` on a thread of its own to which files are what they are to an ordinary user: to a superuser no file is
  /// read-only.
  func onThreadAsNobody<R: Sendable>(_ body: @escaping @Sendable () -> R) async throws -> R {
    try await onThread {
      // Linux keeps this user for each thread. 65534 is nobody.
      let user = geteuid()
      if user == 0 { _ = setfsuid(65534) }
      defer { if user == 0 { _ = setfsuid(user) } }
      return body()
    }
  }
#endif
