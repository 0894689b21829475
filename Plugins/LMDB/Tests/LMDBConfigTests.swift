import StrataTestKit
import StrataCore
import Testing
import CLMDB

@testable import StrataLMDB

@Test func lmdbSkeleton() {}
