// The API of this module uses the types of StatusModel, and an app's own view draws with those of TerminalUI.
@_exported public import StatusModel
@_exported public import TerminalUI
