import Foundation
import StrataKeychain

// Started by tests as a separate process, to be killed or to write concurrently: KeychainRunner <vault> rotate <old>
// <new>      locks the vault with another key and back again, forever KeychainRunner <vault> save <key> <name>
// saves numbers for accounts, one after the other, forever KeychainRunner <vault> count <key> <name> <n>  saves n
// numbers, each for a different account KeychainRunner <vault> session                 uses a secret, and aborts A key
// is the byte that it consists of. Each printed line says what has been done.

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

func key(_ number: String) throws -> VaultKey {
  let bytes = [UInt8](repeating: UInt8(number) ?? 0, count: SecretKey.size)
  return .key(try bytes.withUnsafeBytes { try SecretKey(bytes: $0) })
}

let words = Array(CommandLine.arguments.dropFirst())
if words.count == 2, words[1] == "session" { try session(words[0]) }
guard words.count >= 4 else { exit(2) }
let vault = Vault(path: words[0], key: try key(words[2]))
let accounts = KeychainAccounts<String>(service: "tests", in: .vault(vault))
switch words[1] {
case "rotate":
  say("ready")
  while true {
    for next in [words[3], words[2]] {
      try vault.changeKey(to: try key(next))
      say(next)
    }
  }
case "save":
  say("ready")
  for number in 0... {
    try accounts.setObject(Data("\(number)".utf8), forKey: "\(words[3]) \(number % 5)", expiry: nil)
    say("\(number)")
  }
default:
  for number in 0..<(Int(words[4]) ?? 0) {
    try accounts.setObject(Data("\(number)".utf8), forKey: "\(words[3]) \(number)", expiry: nil)
  }
}
