// The API of this module shows digests.
@_exported public import Digests
