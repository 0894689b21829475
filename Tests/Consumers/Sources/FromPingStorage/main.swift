import Foundation

/// Ends the program with a message unless a condition holds.
func expect(_ condition: Bool, _ what: String) {
  if condition { return }
  print("does not hold: \(what)")
  exit(1)
}

func expectFailure(_ what: String, _ body: () async throws -> Void) async {
  do { try await body() } catch { return }
  expect(false, what)
}

let samples: [@Sendable () async throws -> Void] = [
  strategies, exampleUsage, initializer, saving, getting, deleting, custom, cacheable,
]
for sample in samples { try await sample() }
