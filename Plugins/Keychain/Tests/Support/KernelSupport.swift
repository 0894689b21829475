#if os(Linux)
  import Foundation
  import StrataKeychain
  import TestSupport

  /// The features of the kernel that the tests may use.
  enum KernelSupport {
    /// Whether this process may use a keyring; many containers forbid it.
    static let isPermitted: Bool = canStore(bytes: 1)
    /// Whether keys may have more than 32 kB.
    static let hasLargeKeys: Bool = canStore(bytes: 40_000)

    private static func canStore(bytes: Int) -> Bool {
      let probe = KeychainAccounts<String>(service: "strata probe", in: .kernel(.user))
      do {
        try probe.setObject(.init(count: bytes), forKey: "probe")
        try probe.removeAll()
      } catch { return false }
      return true
    }
  }
#endif
