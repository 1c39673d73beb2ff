// A program that starts itself under a guard also needs the facts about the app and the configuration.
@_exported public import Bellerophon
