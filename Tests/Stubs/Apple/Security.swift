// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of Security that this package uses, so that such code type-checks on Linux. The types of
// CoreFoundation that Swift bridges with Objective-C are aliases here, so that `as CFDictionary` needs no bridge.

public typealias CFString = String
public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = Any
public typealias OSStatus = Int32

public let kSecAttrAccessGroup: CFString = ""
public let kSecAttrAccessible: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlock: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
public let kSecAttrAccessibleWhenUnlocked: CFString = ""
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = ""
public let kSecAttrAccount: CFString = ""
public let kSecAttrGeneric: CFString = ""
public let kSecAttrService: CFString = ""
public let kSecClass: CFString = ""
public let kSecClassGenericPassword: CFString = ""
public let kSecMatchLimit: CFString = ""
public let kSecMatchLimitAll: CFString = ""
public let kSecReturnAttributes: CFString = ""
public let kSecReturnData: CFString = ""
public let kSecUseDataProtectionKeychain: CFString = ""
public let kSecValueData: CFString = ""

public var errSecSuccess: OSStatus { 0 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecUserCanceled: OSStatus { -128 }
public var errSecMissingEntitlement: OSStatus { -34018 }
public var errSecNotAvailable: OSStatus { -25291 }
public var errSecDecode: OSStatus { -26275 }

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  0
}
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
  -> OSStatus
{ 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
public func SecItemUpdate(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus { 0 }
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
  nil
}
