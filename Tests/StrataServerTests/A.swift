#if Server
import InMemoryLogging
import Testing
@Test func a() {}
#endif
