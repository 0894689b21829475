import StrataTestKit
import StrataCore
import Testing
import CSQLite

@testable import StrataSQLite

@Test func sqliteSkeleton() {}
