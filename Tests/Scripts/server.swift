// The declarations that the examples of StrataServer use without showing them. They only need to type-check and are
// never run.

import InMemoryTracing
import Logging
import Metrics
import ServiceLifecycle
import StrataAlgebra
import StrataCore
import StrataLoading
import StrataMemory
import StrataServer
import Tracing
import UnixSignals

struct User: Sendable {}
struct Server: Service { func run() async throws {} }
var logger: Logger { Logger(label: "app") }
var server: Server { Server() }
var users: LoadingStorage<String, User> { fatalError("an example was run") }
var pages: MemoryStorage<String, String> { MemoryStorage() }
