import Foundation
import StrataHTTP
import StrataMemory

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP cache over a store, and its requests to the server.
///
/// Without an argument this program simulates the server. With an address as its argument it uses the real one.
@main
struct HTTPExample {
  static func main() async throws {
    if let address = CommandLine.arguments.dropFirst().first {
      guard let url = URL(string: address) else { return print("usage: HTTPExample [address]") }
      try await ask(URLSessionStorage.shared, for: url, time: nil)
    } else if let url = URL(string: "http://weather.example/oslo") {
      print("A server that says: fresh for a minute, and this is version 1\n")
      try await ask(Weather(), for: url, time: ManualClock())
    }
  }

  static func ask(_ origin: some ReadableStorage<Request, Response>, for url: URL, time: ManualClock?)
    async throws
  {
    let clock = time?.clock ?? .system
    let web = HTTPCache(
      origin: origin, store: MemoryStorage<String, Data>(config: MemoryConfig(clock: clock)),
      config: HTTPCacheConfig(staleIfError: 3600, clock: clock))

    func fetch(_ when: String) async throws {
      let response = try await web.retrieve(forKey: .url(url))
      let text = String(decoding: response.data.prefix(32), as: UTF8.self)
      let status = response.httpUrlResponse.value(forHTTPHeaderField: "Cache-Status") ?? "fetched"
      print("  \(padded(when, 24))\(padded(text, 34))\(status)")
    }

    try await fetch("at first")
    try await fetch("at once again")
    guard let time else { return }
    time.advance(by: 61)
    try await fetch("a minute later")
    time.advance(by: 61)
    Weather.isDown.isSet = true
    try await fetch("the server is down")
    Weather.isDown.isSet = false
    time.advance(by: 7200)
    try await fetch("two hours later")
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text.padding(toLength: width, withPad: " ", startingAt: 0)
  }
}
