import { readCommandLine } from '../cli/command-line.ts'
import type { Environment } from '../cli/settings.ts'
import { type Configuration, readConfiguration } from '../configuration.ts'
import type { InheritedSocket } from '../lifecycle/listen-address.ts'
import { wordsOf } from './program.ts'

/** Returns the configuration of a server with a command line and an environment. Throws `UsageError`. */
export function configure(line: string, env: Environment = {}, inherited?: InheritedSocket): Configuration {
  return readConfiguration(readCommandLine(wordsOf(line), env).settings, inherited)
}
