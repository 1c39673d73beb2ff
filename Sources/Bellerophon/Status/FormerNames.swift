// Names of version 0.1.

extension StatusReply {
    /// The former name of ``metadata``.
    @available(*, deprecated, renamed: "metadata")
    public var receipt: ExchangeMetadata? {
        get { metadata }
        set { metadata = newValue }
    }

    /// The former initialiser.
    @available(*, deprecated, renamed: "init(_:metadata:)")
    public init(_ document: StatusDocument, receipt: ExchangeMetadata?) { self.init(document, metadata: receipt) }
}

extension StatusError {
    /// The former name of ``metadata``.
    @available(*, deprecated, renamed: "metadata")
    public var receipt: ExchangeMetadata? {
        get { metadata }
        set { metadata = newValue }
    }

    /// The former initialiser.
    @available(*, deprecated, renamed: "init(_:metadata:)")
    public init(_ reason: Reason, receipt: ExchangeMetadata?) { self.init(reason, metadata: receipt) }
}
