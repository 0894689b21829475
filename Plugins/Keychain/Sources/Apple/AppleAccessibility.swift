#if canImport(Security)
  internal import Security

  /// The times at which a secret in Apple's keychain can be read, and whether backups transfer it to the user's other
  /// devices.
  public enum AppleAccessibility: Sendable, CaseIterable {
    /// After the device was first unlocked since it started; on this device only.
    case afterFirstUnlockThisDeviceOnly
    /// After the device was first unlocked since it started.
    case afterFirstUnlock
    /// While the device is unlocked; on this device only.
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
