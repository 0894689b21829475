extension UnsafeRawBufferPointer {
  /// The address in the type that libsodium takes, or `nil` if the buffer is empty.
  var sodiumBytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The address of a buffer that is not empty.
  var sodiumStart: UnsafePointer<UInt8> {
    guard let sodiumBytes else { preconditionFailure("an empty buffer has no address") }
    return sodiumBytes
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The address in the type that libsodium takes, or `nil` if the buffer is empty.
  var sodiumBytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The address of a buffer that is not empty.
  var sodiumStart: UnsafeMutablePointer<UInt8> {
    guard let sodiumBytes else { preconditionFailure("an empty buffer has no address") }
    return sodiumBytes
  }
}
