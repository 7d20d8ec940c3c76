import { EventEmitter } from 'node:events'
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

/** Starts the program with a command line such as `--port 0`, split at its spaces; with `--memory` where no storage is named. */
export function start(
  commandLine: string,
  options: { env?: Readonly<Record<string, string>>; clock?: () => number } = {},
): Running {
  const { env = {}, clock = Date.now } = options
  const [stdout, stderr, events] = [new Capture(), new Capture(), new EventEmitter()]
  const argv = commandLine.split(' ').filter((word) => word !== '')
  const namesStorage =
    /--(?:data|postgres|help|version)|keygen|import/.test(commandLine) ||
    'DATABASE_URL' in env ||
    'PET_ADOPTION_DATA' in env
  const exitCode = run({
    argv,
    env: namesStorage ? env : { PET_ADOPTION_MEMORY: 'on', ...env },
    stdout,
    stderr,
    events,
    clock,
  })
  void exitCode.then(() => {
    stdout.end()
    stderr.end()
  })
  return { stdout, stderr, events, exitCode }
}

/** Resolves with the base address that a program announces, pretty or in JSON. */
export async function baseAddressOf({ stdout }: Pick<Running, 'stdout'>): Promise<string> {
  const [, pretty, json] = await stdout.until(
    /^(?:listening on (\S+)|\{.*"event":"listening","url":"([^"]+)".*)$/m,
  )
  return pretty ?? json ?? ''
}

/** Returns the records of a log in JSON. Throws where a line is not a JSON object. */
export function recordsOf(output: Capture): readonly Readonly<Record<string, unknown>>[] {
  return output.lines.map((line) => {
    const record: unknown = JSON.parse(line)
    if (typeof record !== 'object' || record === null) throw new Error(`not an object: ${line}`)
    return { ...record }
  })
}
