import Foundation

/// Ends the program where something does not hold, and says what.
func expect(_ condition: Bool, _ what: String) {
  if condition { return }
  print("does not hold: \(what)")
  exit(1)
}

let samples: [@Sendable () async throws -> Void] = [
  usage, guide, transforms, formats, composition, halves, singleElement, serialized, recovering, disk,
  zipping, debugging, ownStorage, unreachable, proxied,
]
for sample in samples { try await sample() }
