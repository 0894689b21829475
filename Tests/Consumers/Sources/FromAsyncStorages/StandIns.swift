import Foundation
import Strata

// The guide names these lines.
typealias Filename = String
typealias Storage = ReadWriteStorage
typealias ReadOnlyStorage = ReadableStorage
typealias WriteOnlyStorage = WritableStorage

/// A picture, on systems that have no UIKit.
struct UIImage {
  let pixels: [UInt8]

  init?(data: Data) {
    guard !data.isEmpty else { return nil }
    pixels = Array(data)
  }
}

func UIImagePNGRepresentation(_ image: UIImage) -> Data? { Data(image.pixels) }

struct UnwrapError: Error {}

extension Optional {
  func unwrap() throws -> Wrapped {
    guard let self else { throw UnwrapError() }
    return self
  }
}
