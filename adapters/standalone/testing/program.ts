import { EventEmitter } from 'node:events'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import { run } from '../run.ts'
import { Capture } from './capture.ts'

/** The program, running in the test's process. */
export interface RunningProgram {
  readonly stdout: Capture
  readonly stderr: Capture
  /** Emits signals to the program. */
  readonly events: EventEmitter
  readonly exitCode: Promise<number>
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: () => number
  /** Paths that exist for the program. */
  readonly files?: readonly string[]
  readonly stdin?: string
}

/**
 * Starts the program in the test's process, with `--memory` if no storage is given. A server that is still running
 * after the test file is stopped.
 */
export function start(commandLine: string | readonly string[], options: StartOptions = {}): RunningProgram {
  const { env = {}, clock = Date.now, files = [], stdin = '' } = options
  const [stdout, stderr, events] = [new Capture(), new Capture(), new EventEmitter()]
  const argv = typeof commandLine === 'string' ? splitCommandLine(commandLine) : commandLine
  const hasStorage =
    /--(?:data|postgres|help|version)|keygen|import|export|animals|backup|migrate/.test(argv.join(' ')) ||
    'DATABASE_URL' in env ||
    'PET_ADOPTION_DATA' in env
  const exitCode = run({
    argv,
    program: 'pet-adoption-service',
    env: hasStorage ? env : { PET_ADOPTION_MEMORY: 'on', ...env },
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
    for (const signal of ['SIGTERM', 'SIGTERM']) events.emit(signal) // the second signal skips the wait for open connections
  })
  return { stdout, stderr, events, exitCode }
}

/** Starts a server and waits until it is listening. */
export async function startServer(
  commandLine: string | readonly string[],
  options?: StartOptions,
): Promise<RunningProgram & { readonly base: string }> {
  const server = start(commandLine, options)
  return { ...server, base: await readBaseUrl(server) }
}

/** Waits until a server is listening and returns its API's URL. */
export async function readBaseUrl({ stdout }: Pick<RunningProgram, 'stdout'>): Promise<string> {
  const [, pretty, json] = await stdout.until(
    /^(?:listening on (\S+)|\{.*"event":"listening","url":"([^"]+)".*)$/m,
  )
  return pretty ?? json ?? ''
}

/** Parses a log in JSON, line by line. */
export function parseRecords(output: Capture): readonly Readonly<Record<string, unknown>>[] {
  return output.lines.map((line) => {
    const record: unknown = JSON.parse(line)
    if (typeof record !== 'object' || record === null) throw new Error(`not an object: ${line}`)
    return { ...record }
  })
}

/** Splits a command line at spaces, except in the temporary folder's path. */
export function splitCommandLine(commandLine: string): readonly string[] {
  return commandLine
    .replaceAll(tmpdir(), '\u{10ffff}')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('\u{10ffff}', tmpdir()))
}
