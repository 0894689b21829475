extension UnsafeRawBufferPointer {
  /// The address as the library wants it; `nil` where there are no bytes.
  var sodiumBytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The address of bytes that are there.
  var sodiumStart: UnsafePointer<UInt8> {
    guard let sodiumBytes else { preconditionFailure("no bytes have no address") }
    return sodiumBytes
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The address as the library wants it; `nil` where there are no bytes.
  var sodiumBytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The address of bytes that are there.
  var sodiumStart: UnsafeMutablePointer<UInt8> {
    guard let sodiumBytes else { preconditionFailure("no bytes have no address") }
    return sodiumBytes
  }
}
