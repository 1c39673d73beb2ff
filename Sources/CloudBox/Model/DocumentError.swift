import BellerophonBase
import Foundation

/// Why a document from outside cannot be used, in one sentence.
struct DocumentError: Error, Equatable {
    let text: String

    static func text(of error: any Error) -> String {
        switch error {
        case let problem as DocumentError: problem.text
        case let problem as InputFile.ReadError: problem.description
        case let problem as JSONSyntaxError:
            if case .repeatedName = problem.reason { problem.message } else { "the document is not JSON: \(problem)" }
        case DecodingError.keyNotFound(let key, let context): "\(place(context)) has no \"\(key.stringValue)\""
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "\(place(context)): \(context.debugDescription)"
        default: error.localizedDescription
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? "the document" : path
    }
}
