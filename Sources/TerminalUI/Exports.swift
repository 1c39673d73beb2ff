// Whoever draws text needs what makes it safe and what measures it.
@_exported public import SafeText
