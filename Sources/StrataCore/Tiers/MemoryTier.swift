/// A memory tier in front of another store. Its `peek` finds every entry that it holds.
package protocol MemoryTier: OwnExpiry {}
