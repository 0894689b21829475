import Foundation

/// A memcached server for the tests of this process, and of the processes that the kit starts.
enum LocalServer {
  struct Missing: Error, CustomStringConvertible {
    let description = "memcached has not started: install it (apt-get install memcached)"
  }

  private static let variable = "MEMCACHED_TEST_PORT"

  /// The port of the server, which is started at the first use. Second processes inherit it in their environment.
  static let port = Result { () throws -> UInt16 in
    let given = ProcessInfo.processInfo.environment[variable].flatMap { UInt16($0) }
    let port = try given ?? start()
    setenv(variable, "\(port)", 1)
    return port
  }

  /// Starts the server. It is killed when the pipe to its shell closes, however this process ends.
  ///
  /// To list its keys, memcached visits each bucket of its hash table, and pauses after every thousand of them. A small
  /// table and no pauses make a listing 25 times faster: half a millisecond, of which the contract needs thousands.
  private static func start() throws -> UInt16 {
    let file = FileManager.default.temporaryDirectory.appending(path: "memcached-\(getpid())")
    let command = """
      MEMCACHED_PORT_FILENAME='\(file.path)' memcached -l 127.0.0.1 -p -1 -U 0 -m 512 -u "$(id -un)" \
      -o hashpower=13,lru_crawler_sleep=0 & \
      read -r line; kill -9 $!
      """
    guard popen(command, "we") != nil else { throw Missing() }
    for _ in 0..<1000 {
      // The line reads: "TCP INET: 12345".
      if let text = FileManager.default.contents(atPath: file.path).map({
        String(decoding: $0, as: UTF8.self)
      }),
        let port = text.split(whereSeparator: { !$0.isNumber }).first.flatMap({ UInt16($0) })
      {
        try FileManager.default.removeItem(at: file)
        return port
      }
      usleep(10_000)
    }
    throw Missing()
  }
}
