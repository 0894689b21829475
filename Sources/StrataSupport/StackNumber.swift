/// A number that the address of the thread's stack selects. It is quicker to find than a thread's own number; threads
/// that happen to share one only slow each other down.
@inlinable
@inline(__always)
package var stackNumber: Int {
  var here: UInt8 = 0
  return withUnsafePointer(to: &here) { here in
    let address = UInt(bitPattern: here)
    return Int(truncatingIfNeeded: address >> 16 ^ address >> 20 ^ address >> 23)
  }
}
