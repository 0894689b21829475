import Foundation

/// Ends the program where something does not hold, and says what.
func expect(_ condition: Bool, _ what: String) {
  if condition { return }
  print("does not hold: \(what)")
  exit(1)
}

// In an async function Swift chooses the functions that need `await`, and here those that do not.
for sample in [storing, typed, primitives, expiry, tiers, json, observing, formerNames] as [() throws -> Void]
{
  try sample()
}
try await awaiting()
await callingBack()
