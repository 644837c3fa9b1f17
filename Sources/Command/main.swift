import Glibc

signal(SIGPIPE, SIG_IGN)
Interruption.install()
let code = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()))
// Not `exit`: its handlers take the driver apart while a render thread may still use it. Nothing is buffered by now.
_exit(code.rawValue)
