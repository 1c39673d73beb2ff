package import Bellerophon

extension StatusField {
    /// A value that no reader changes.
    package var sample: String {
        switch form {
        case .paragraphs: "Back at noon.\nOr later."
        case .line: "1.5.2"
        case .webAddress: "https://example.com/get"
        }
    }
}

extension StatusFacts {
    /// A value for every field.
    package static var samples: StatusFacts {
        StatusFacts(Dictionary(uniqueKeysWithValues: StatusField.allCases.map { ($0, $0.sample) }))
    }
}
