import StrataTestKit
import Testing

@Test func contractSkeleton() { #expect(!Contract.allCases.isEmpty) }
