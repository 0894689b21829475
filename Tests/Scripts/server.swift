// The declarations that the examples of StrataServer use without showing them. They only need to build and are never
// run.

import Logging
import Metrics
import ServiceLifecycle
import StrataCore
import StrataLoading
import StrataServer
import Tracing
import UnixSignals

struct User: Sendable {}
struct Server: Service { func run() async throws {} }
var logger: Logger { Logger(label: "app") }
var server: Server { Server() }
var users: LoadingStorage<String, User> { fatalError("an example was run") }
var pages: LoadingStorage<String, User> { users }
