extension Verb {
    /// Every verb, in the order of the help; one line each.
    static let all: [Verb] = [
        .render,
        .plan,
        .explain,
        .serve,
        .doctor,
        .compare,
        .record,
        .replay,
        .dump,
        .bench,
        .version,
    ]
}
