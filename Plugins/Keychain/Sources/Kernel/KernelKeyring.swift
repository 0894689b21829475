#if os(Linux)
  internal import CKeyutils

  /// A keyring of the kernel: who its keys belong to, and how long they live.
  public enum KernelKeyring: Sendable, CaseIterable {
    /// That of the user: for all processes of the user, until the last of them has ended.
    case user
    /// That of the login session, or of the service: for the processes started in it, until the last of them has ended.
    /// Where nobody made a session, it is one for all processes of the user.
    case session

    var serial: key_serial_t {
      switch self {
      case .user: KEY_SPEC_USER_KEYRING
      case .session: KEY_SPEC_SESSION_KEYRING
      }
    }
  }
#endif
