public import Bellerophon

extension StatusDocument {
    /// What the document means for an app of which nothing is known, at no particular time.
    public var stage: Stage { verdict(for: AppFacts(), at: nil).stage }
}
