import { EventEmitter } from 'node:events'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import { run } from '../run.ts'
import { Capture } from './capture.ts'

/** The program, running in this process. */
export interface Running {
  readonly stdout: Capture
  readonly stderr: Capture
  /** Stands for the process: an event emitted here is a signal to the program. */
  readonly events: EventEmitter
  readonly exitCode: Promise<number>
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: () => number
  /** The files that the program finds outside of its settings; none by default. */
  readonly files?: readonly string[]
  readonly stdin?: string
}

/**
 * Starts the program with its arguments, or with a command line such as `--port 0`, split at its spaces; with
 * `--memory` if no storage is named. A server that the test leaves behind, as where it fails, is stopped: the
 * process would not end.
 */
export function start(commandLine: string | readonly string[], options: StartOptions = {}): Running {
  const { env = {}, clock = Date.now, files = [], stdin = '' } = options
  const [stdout, stderr, events] = [new Capture(), new Capture(), new EventEmitter()]
  const argv = typeof commandLine === 'string' ? splitWords(commandLine) : commandLine
  const namesStorage =
    /--(?:data|postgres|help|version)|keygen|import|export|animals|backup|migrate/.test(argv.join(' ')) ||
    'DATABASE_URL' in env ||
    'PET_ADOPTION_DATA' in env
  const exitCode = run({
    argv,
    program: 'pet-adoption-service',
    env: namesStorage ? env : { PET_ADOPTION_MEMORY: 'on', ...env },
    pid: process.pid,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    events,
    clock,
    exists: (path) => files.includes(path),
  })
  void exitCode.then(() => {
    stdout.end()
    stderr.end()
  })
  after(() => {
    for (const signal of ['SIGTERM', 'SIGTERM']) events.emit(signal) // the second one stops it at once
  })
  return { stdout, stderr, events, exitCode }
}

/** Starts a server, and resolves with its base URL too once it listens. */
export async function startServer(
  commandLine: string | readonly string[],
  options?: StartOptions,
): Promise<Running & { readonly base: string }> {
  const server = start(commandLine, options)
  return { ...server, base: await readBaseUrl(server) }
}

/** Resolves with the base URL that a program announces, pretty or in JSON. */
export async function readBaseUrl({ stdout }: Pick<Running, 'stdout'>): Promise<string> {
  const [, pretty, json] = await stdout.until(
    /^(?:listening on (\S+)|\{.*"event":"listening","url":"([^"]+)".*)$/m,
  )
  return pretty ?? json ?? ''
}

/** Returns the records of a log in JSON. Throws if a line is not a JSON object. */
export function parseRecords(output: Capture): readonly Readonly<Record<string, unknown>>[] {
  return output.lines.map((line) => {
    const record: unknown = JSON.parse(line)
    if (typeof record !== 'object' || record === null) throw new Error(`not an object: ${line}`)
    return { ...record }
  })
}

/** Splits a command line at its spaces, except inside the path of the folder for temporary files. */
export function splitWords(commandLine: string): readonly string[] {
  return commandLine
    .replaceAll(tmpdir(), '\u{10ffff}')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('\u{10ffff}', tmpdir()))
}
