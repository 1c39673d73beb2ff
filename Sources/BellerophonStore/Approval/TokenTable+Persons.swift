/// Tells persons apart, for what takes two of them.
///
/// A login on the store's machine is a person of that name. A token made on the machine is the person that it was made for. A
/// token that was made with another token may be in the hands of whoever made it, so it is its maker's person too, and so on
/// up to a token made on the machine. Who makes tokens over the network is therefore one person with all of them, whatever
/// names they have, and also after any of them was revoked.
extension TokenTable {
    /// The persons who may have acted as an author.
    /// - Parameter answerable: only who answers for the author: a login, or the person of the token with which all of its line were
    ///   made. Over the network nobody acts in the name of another one.
    func persons(of author: Author, answerable: Bool = false) throws -> Set<String> {
        guard author.kind == .token else { return [(author.loginUser ?? author.user ?? author.name).lowercased()] }
        let line = try line(of: author.name)
        let makers = Set(line.map(\.name))
        let persons = line.filter { !answerable || !makers.contains($0.createdBy) }.map { $0.person.lowercased() }
        return line.isEmpty ? [author.name] : Set(persons)
    }

    /// Whether one person may be behind two authors.
    func areSame(_ one: Author, _ other: Author) throws -> Bool { try !persons(of: one).isDisjoint(with: persons(of: other)) }
}
