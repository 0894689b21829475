import Foundation

/// Ends the program with a message unless a condition holds.
func expect(_ condition: Bool, _ what: String) {
  if condition { return }
  print("does not hold: \(what)")
  exit(1)
}

// In an async function Swift chooses the asynchronous overloads. The type of this list selects the synchronous ones.
for sample in [storing, typed, primitives, expiry, tiers, json, observing, formerNames] as [() throws -> Void]
{
  try sample()
}
try await awaiting()
await callingBack()
