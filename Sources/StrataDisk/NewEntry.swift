#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// An entry that is about to be stored.
struct NewEntry: Sendable {
  let key: [UInt8]
  let value: Data
  let expiry: Expiry

  init(key: [UInt8], value: Data = Data(), expiry: Expiry = .never) {
    self.key = key
    self.value = value
    self.expiry = expiry
  }
}
