import Foundation

/// Ends the program with a message unless a condition holds.
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
