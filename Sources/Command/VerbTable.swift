extension Verb {
    /// Every verb, in the order of the help; one line each.
    static let all: [Verb] = [
        .render,
        .plan,
        .record,
        .replay,
        .dump,
        .version,
    ]
}
