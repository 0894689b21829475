#if Server
import Logging
import Metrics
import Tracing
public import ServiceLifecycle
public struct A: Service { public func run() async throws {} }
#endif
