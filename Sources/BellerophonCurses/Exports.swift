// Whoever opens a window wants the views for it.
@_exported public import BellerophonViews
