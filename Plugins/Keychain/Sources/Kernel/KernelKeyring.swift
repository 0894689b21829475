#if os(Linux)
  internal import CKeyutils

  /// A keyring of the kernel: determines which processes can use its keys, and how long the keys live.
  public enum KernelKeyring: Sendable, CaseIterable {
    /// The user's keyring: for all processes of the user, until the last of them ends.
    case user
    /// The keyring of the login session or the service: for the processes started in it, until the last of them ends.
    /// If there is no session, all processes of the user share one.
    case session

    var serial: key_serial_t {
      switch self {
      case .user: KEY_SPEC_USER_KEYRING
      case .session: KEY_SPEC_SESSION_KEYRING
      }
    }
  }
#endif
