/// Why a file is not the entry it should be.
enum EntryFlaw: Error, Equatable {
  /// It is damaged, cut short, swapped or foreign; the text says how that was seen.
  case damaged(String)
  /// It is sound, and written by a Strata that is newer than this one, in this version of the format.
  case newer(UInt32)
}
