import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { runCli } from '../cli/cli.ts'
import { createDeployment } from './deployments/deployment.ts'
import { createClock, mainKey, throttleKey } from './deployments/world.ts'

/** Temporary folder for the reports of a test file. */
export const folder: string = mkdtempSync(join(tmpdir(), 'conformance-cli-'))
after(() => rmSync(folder, { recursive: true }))

export const baseUrl: string = 'http://reference.test/v1'
export const keys: Readonly<Record<'PET_ADOPTION_API_KEY' | 'PET_ADOPTION_THROTTLE_KEY', string>> = {
  PET_ADOPTION_API_KEY: mainKey,
  PET_ADOPTION_THROTTLE_KEY: throttleKey,
}

export interface ProgramResult {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly requests: readonly Request[]
}

export interface ProgramOptions {
  readonly env?: Record<string, string>
  readonly isTTY?: boolean
  /** Width of the terminal. */
  readonly columns?: number
  /** Handles the requests instead of the reference deployment. `network` sends them over HTTP. */
  readonly handler?: 'network' | ((request: Request) => Response | Promise<Response>)
  /** The program is interrupted when it sends this request, counted from 1. */
  readonly interruptAt?: number
}

/** Runs the command line in this process, with captured output. */
export async function runProgram(
  argv: readonly string[],
  { env = keys, isTTY = false, columns, handler, interruptAt }: ProgramOptions = {},
): Promise<ProgramResult> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const respond = handler ?? createDeployment(clock)
  const writtenOutput = { out: '', err: '' }
  const requests: Request[] = []
  const createSink = (name: 'out' | 'err') => ({
    isTTY,
    columns,
    write: (text: string) => {
      writtenOutput[name] += text
    },
  })
  const listeners = new Set<(signal: 'SIGINT') => void>()
  const onInterrupt = (listener: (signal: 'SIGINT') => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const runSettings = {
    clock,
    random: (size: number) => new Uint8Array(size).fill(7),
    ...(respond !== 'network' && {
      fetch: (request: Request) => {
        requests.push(request.clone())
        if (requests.length === interruptAt) for (const listener of listeners) listener('SIGINT')
        return respond(request)
      },
    }),
  }
  const streams = { stdout: createSink('out'), stderr: createSink('err') }
  const exitCode = await runCli({
    argv,
    program: 'pet-adoption-conformance',
    env,
    ...streams,
    run: runSettings,
    onInterrupt,
  })
  if (listeners.size > 0) throw new Error('the program still listens for interrupts')
  return { code: exitCode, ...writtenOutput, requests }
}

/** Writes a file to the temporary folder and returns its path. */
export function writeFile(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
