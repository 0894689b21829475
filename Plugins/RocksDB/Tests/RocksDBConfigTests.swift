import StrataTestKit
import StrataCore
import Testing
import CRocksDB

@testable import StrataRocksDB

@Test func rocksdbSkeleton() {}
