// The public API of this module uses digests.
@_exported public import Digests
