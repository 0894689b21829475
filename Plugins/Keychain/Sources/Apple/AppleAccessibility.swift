#if canImport(Security)
  internal import Security

  /// When a secret in Apple's keychain can be read, and whether it goes to the user's other devices by a backup.
  public enum AppleAccessibility: Sendable, CaseIterable {
    /// From the first time the device was unlocked after it started; on this device alone.
    case afterFirstUnlockThisDeviceOnly
    /// From the first time the device was unlocked after it started.
    case afterFirstUnlock
    /// While the device is unlocked; on this device alone.
    case whenUnlockedThisDeviceOnly
    /// While the device is unlocked.
    case whenUnlocked

    var attribute: CFString {
      switch self {
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
      case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
      }
    }
  }
#endif
