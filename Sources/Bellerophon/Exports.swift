// The API of this module uses the types of StatusModel.
@_exported public import StatusModel
