/// The reason why a file or record is not the expected entry.
enum EntryFlaw: Error, Equatable {
  /// It is damaged, cut short, swapped or foreign; the text says how that was detected.
  case damaged(String)
  /// It is sound, but a newer version of Strata wrote it, in this version of the format.
  case newer(UInt32)
}
