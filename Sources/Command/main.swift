import Glibc

signal(SIGPIPE, SIG_IGN)
Interruption.install()
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
