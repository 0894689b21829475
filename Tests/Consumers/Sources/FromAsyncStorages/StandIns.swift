import Foundation
import Strata

// The guide names these three lines.
typealias Filename = String
typealias Storage<Key, Value> = ReadableStorage<Key, Value> & WritableStorage<Key, Value>

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
