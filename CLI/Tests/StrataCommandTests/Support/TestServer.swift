import Foundation

/// A server that all tests share. It ends when this process ends, even if this process is killed.
struct TestServer {
  /// The folder in which the server runs.
  let folder: String
  /// The line that the script printed when the server was ready, such as its port.
  let note: String

  /// Runs a bash script in a new folder. The script starts the server, prints a line when the server is ready, and ends
  /// the server at the end of its standard input.
  init(_ name: String, _ script: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "strata-cli-\(name)-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Only this process has the pipe open for writing, so its end is the end of the script's input.
    let (pipe, log) = (folder + "/life", folder + "/said")
    guard mkfifo(pipe, 0o600) == 0, open(pipe, O_RDWR | O_CLOEXEC) >= 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    let child = try Child(
      ["/bin/bash", "-c", script + "\ncd /; rm -rf '\(folder)'"], in: folder,
      ProcessInfo.processInfo.environment,
      files: [(pipe, O_RDONLY), (log, O_WRONLY | O_CREAT), (folder + "/errors", O_WRONLY | O_CREAT)])
    let end = Date().addingTimeInterval(60)
    while true {
      let said = FileManager.default.contents(atPath: log) ?? Data()
      if said.last == 0x0A {
        note = String(decoding: said.dropLast(), as: UTF8.self)
        return
      }
      var status: CInt = 0
      if Date() > end || waitpid(child.process, &status, WNOHANG) != 0 {
        let errors = FileManager.default.contents(atPath: folder + "/errors") ?? Data()
        child.send(SIGKILL)
        throw Missing(name: name, said: String(decoding: errors.suffix(2000), as: UTF8.self))
      }
      usleep(2000)
    }
  }

  private struct Missing: Error, CustomStringConvertible {
    let name: String
    let said: String
    var description: String { "\(name) did not start within a minute. It said: \(said)" }
  }

  // MARK: The servers

  /// Starts the servers that need seconds, while the first tests run.
  static let startAhead: Void = {
    for server in [{ _ = postgres }, { _ = s3 }] as [@Sendable () -> Void] { Thread.detachNewThread(server) }
  }()

  /// Redis on the socket `redis.sock`, on a port, which is the note, and with TLS on the next port. `ca.pem` has its
  /// certificate.
  static let redis = Result {
    try TestServer(
      "redis",
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out ca.pem >&2
      while :; do
        port=$((20000 + RANDOM % 10000))
        redis-server --bind 127.0.0.1 --port $port --tls-port $((port + 1)) --tls-cert-file ca.pem \
          --tls-key-file key.pem --tls-auth-clients no --unixsocket "$PWD/redis.sock" --save '' --appendonly no \
          --dir . >&2 &
        while kill -0 $! && [ ! -S redis.sock ]; do sleep 0.01; done
        if redis-cli -s "$PWD/redis.sock" ping >&2; then break; fi
        rm -f redis.sock
      done
      echo $port
      read -r
      kill -9 $!
      """)
  }

  /// PostgreSQL on a socket in its folder, with the role and password `strata`.
  static let postgres = Result {
    try TestServer(
      "postgres",
      """
      programs=$(pg_config --bindir) as=
      # It refuses to run as root.
      if [ $UID -eq 0 ]; then
        as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
        chown nobody:nogroup .
      fi
      echo strata > password
      $as "$programs/initdb" --no-sync --pgdata data --username strata --pwfile password \
        --auth=scram-sha-256 --encoding=UTF8 --locale=C >&2
      $as "$programs/postgres" -D data -k "$PWD" -c listen_addresses= -c fsync=off -c shared_buffers=16MB >&2 &
      while kill -0 $! && ! "$programs/pg_isready" -q -h "$PWD"; do sleep 0.01; done
      kill -0 $! || exit
      echo ready
      read -r
      kill -QUIT $!
      wait
      """)
  }

  /// The path of the Python that `make test` installs with the simulation of S3.
  static let python =
    (ProcessInfo.processInfo.environment["STRATA_S3_TOOLS"]
      ?? FileManager.default.currentDirectoryPath + "/.build/s3") + "/bin/python"

  /// A simulation of S3 with the bucket `tests`. The note is its port.
  static let s3 = Result {
    try TestServer(
      "s3",
      """
      exec '\(python)' -c '
      import os, sys, urllib.request
      from moto.server import ThreadedMotoServer
      server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
      server.start()
      port = server.get_host_and_port()[1]
      urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/tests", method="PUT"))
      print(port, flush=True)
      sys.stdin.read()
      os._exit(0)
      '
      """)
  }
}
