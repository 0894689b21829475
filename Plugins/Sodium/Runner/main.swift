import Foundation
import StrataSodium

// SodiumRunner <task> …: runs tasks that need a separate process: dying in the middle of work, corrupting memory, or
// exhausting it. The tests start it and describe the tasks.

let words = Array(CommandLine.arguments.dropFirst())
do {
  switch (words.first, words.count) {
  case ("rotate", 4): try rotate(words[1], in: words[2], dyingAt: Int(words[3]) ?? 0)
  case ("session", 2): try session(in: words[1])
  case ("decrypt", 3):
    try KeyRing(SecretKey(file: words[1] + "/key")).decryptFile(at: words[2], to: words[1] + "/plain")
  case ("batch", 3): try storeBatch(of: Int(words[2]) ?? 0, in: words[1])
  case ("typed-batch", 3): try storeTypedBatch(of: Int(words[2]) ?? 0, in: words[1])
  case ("lock", 1): try lockTooMuch()
  case ("break", 2): try breakMemory(words[1])
  default: fail("unknown arguments: \(words)")
  }
} catch { fail("\(error)") }

func fail(_ reason: String) -> Never {
  print("failed: \(reason)")
  exit(1)
}
