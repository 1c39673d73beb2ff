// A program that creates a window also needs the manager, the views and the keys.
@_exported public import Bellerophon
@_exported public import BellerophonViews
@_exported public import TerminalUI
