@_exported public import StrataStreams
