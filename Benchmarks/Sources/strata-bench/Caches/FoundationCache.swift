import Foundation

/// `NSCache` in the wrapper that Swift programs need, since its keys and values must be objects. A key class of our own
/// is found faster than an `NSNumber` or `NSString` made for each call.
///
/// Unchecked `Sendable`: `NSCache` may be used from any thread, and the properties never change.
final class FoundationCache<Key: Hashable & Sendable, Value: Weighable>: Cache, @unchecked Sendable {
  private let cache = NSCache<KeyBox, ValueBox>()

  init(capacity: Int = 0) { cache.countLimit = capacity }

  func value(forKey key: Key) -> Value? { cache.object(forKey: KeyBox(key))?.value }
  func store(_ value: Value, forKey key: Key) { cache.setObject(ValueBox(value), forKey: KeyBox(key)) }

  private final class KeyBox: NSObject {
    let key: Key
    init(_ key: Key) { self.key = key }
    override var hash: Int { key.hashValue }
    override func isEqual(_ other: Any?) -> Bool { (other as? KeyBox)?.key == key }
  }

  private final class ValueBox {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
