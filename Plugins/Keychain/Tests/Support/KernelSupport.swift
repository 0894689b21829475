#if os(Linux)
  import Foundation
  import StrataKeychain
  import TestSupport

  /// What the kernel lets the tests do.
  enum KernelSupport {
    /// Whether it lets this process use a keyring; in many containers it does not.
    static let isPermitted: Bool = canStore(bytes: 1)
    /// Whether it keeps more than 32 kB for a key.
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
