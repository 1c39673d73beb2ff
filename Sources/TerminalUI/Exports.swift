// Code that draws text also needs the sanitizer and the width functions of SafeText.
@_exported public import SafeText
