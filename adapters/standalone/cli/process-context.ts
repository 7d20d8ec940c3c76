import type { EventEmitter } from 'node:events'
import { relative } from 'node:path'
import type { Output } from '../log/log.ts'
import type { Environment } from './settings.ts'

/** The parts of its process that the program uses. */
export interface ProcessContext extends Output {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  /** The beginning of the command line, for the command lines that the program prints. */
  readonly program: string
  readonly env: Environment
  /** The id of the process. `LISTEN_PID` has the same one if a supervisor hands over sockets. */
  readonly pid: number
  readonly stdin: AsyncIterable<Uint8Array>
  /** Emits signals, warnings and uncaught exceptions: the process itself, or a substitute in tests. */
  readonly events: EventEmitter
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Returns true if there is a file at a path. */
  readonly exists: (path: string) => boolean
}

/** Returns the beginning of a command line that runs a script again from this folder, whatever has started it. */
export function formatProgram(
  script: string,
  cwd: string,
  { bun, deno }: NodeJS.ProcessVersions = process.versions,
): string {
  const path = relative(cwd, script)
  const file = path.startsWith('..') ? script : path
  const word = quoted(file)
  if (bun || !deno) return `${bun ? 'bun' : 'node'} ${word}`
  const isInstalled = /[\\/](?:npm|\.deno)[\\/]/.test(script) // in the cache of Deno, or in node_modules
  return `deno run -A ${isInstalled ? 'npm:pet-adoption-service/pet-adoption-service' : word}`
}

/** Returns a word of a command line to paste, quoted if it must be: for sh, or for the Command Prompt of Windows. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./\\:=-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}
