import type { EventEmitter } from 'node:events'
import { relative } from 'node:path'
import type { OutputStreams } from '../log/log.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The process as the program sees it. Tests pass substitutes. */
export interface ProcessContext extends OutputStreams {
  /** Arguments after the program's name. */
  readonly argv: readonly string[]
  /**
   * Command that starts this program, such as `node pets.js`. Messages add arguments to it to suggest commands.
   */
  readonly program: string
  readonly env: Environment
  /** Process ID. A supervisor that passes sockets sets `LISTEN_PID` to it. */
  readonly pid: number
  readonly stdin: AsyncIterable<Uint8Array>
  /** Emits signals, warnings and uncaught exceptions, as `process` does. */
  readonly events: EventEmitter
  /** Current time, in milliseconds since the epoch. */
  readonly clock: () => number
  /** Checks whether a file exists. */
  readonly exists: (path: string) => boolean
}

/** Returns a command that starts the script again from the current folder, such as `node pets.js`. */
export function formatProgram(
  script: string,
  cwd: string,
  { bun, deno }: NodeJS.ProcessVersions = process.versions,
): string {
  const path = relative(cwd, script)
  const file = path.startsWith('..') ? script : path
  const word = quoteForShell(file)
  if (bun || !deno) return `${bun ? 'bun' : 'node'} ${word}`
  const isInstalled = /[\\/](?:npm|\.deno)[\\/]/.test(script) // the script is in the cache of Deno, or in node_modules
  return `deno run -A ${isInstalled ? 'npm:pet-adoption-service/pet-adoption-service' : word}`
}

/** Quotes a word for `sh`, or for the Command Prompt on Windows, if it needs quotes. */
export function quoteForShell(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./\\:=-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}
