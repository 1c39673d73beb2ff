// What this module does with a status is in its API; the status itself is in the other.
@_exported public import StatusModel
