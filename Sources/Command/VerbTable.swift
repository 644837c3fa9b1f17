extension Verb {
    /// Every verb, in the order of the help; one line each.
    static let all: [Verb] = [
        .render,
        .plan,
        .explain,
        .convert,
        .lint,
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
