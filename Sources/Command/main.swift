import Glibc

signal(SIGPIPE, SIG_IGN)
// A file at its limit of size is an error of write, with a message, not a death.
signal(SIGXFSZ, SIG_IGN)
Interruption.install()
let code = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()))
// Not `exit`: its handlers take the driver apart while a render thread may still use it. Nothing is buffered by now.
_exit(code.rawValue)
