import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { cli } from '../cli/cli.ts'
import { createDeployment } from './deployments/deployment.ts'
import { createClock, mainKey, throttleKey } from './deployments/world.ts'

/** A folder for the files of one file of tests. */
export const folder: string = mkdtempSync(join(tmpdir(), 'conformance-cli-'))
after(() => rmSync(folder, { recursive: true }))

/** The address of the reference deployment. */
export const base: string = 'http://reference.test/v1'
export const keys: Readonly<Record<'PET_ADOPTION_API_KEY' | 'PET_ADOPTION_THROTTLE_KEY', string>> = {
  PET_ADOPTION_API_KEY: mainKey,
  PET_ADOPTION_THROTTLE_KEY: throttleKey,
}

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly requests: readonly Request[]
}

export interface Scene {
  readonly env?: Record<string, string>
  readonly isTTY?: boolean
  /** The width of the terminal. */
  readonly columns?: number
  /** Handles requests instead of the reference deployment; `network` sends them. */
  readonly handler?: 'network' | ((request: Request) => Response | Promise<Response>)
  /** Interrupts the program when this request arrives, counted from 1. */
  readonly interruptAt?: number
}

/** Runs the program in this process, against the reference deployment. */
export async function program(
  argv: readonly string[],
  { env = keys, isTTY = false, columns, handler, interruptAt }: Scene = {},
): Promise<Outcome> {
  const clock = createClock('2026-11-20T12:00:05Z')
  const respond = handler ?? createDeployment(clock)
  const written = { out: '', err: '' }
  const requests: Request[] = []
  const sink = (name: 'out' | 'err') => ({
    isTTY,
    columns,
    write: (text: string) => {
      written[name] += text
    },
  })
  const listeners = new Set<() => void>()
  const onInterrupt = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const run = {
    clock,
    random: (size: number) => new Uint8Array(size).fill(7),
    ...(respond !== 'network' && {
      fetch: (request: Request) => {
        requests.push(request.clone())
        if (requests.length === interruptAt) for (const listener of listeners) listener()
        return respond(request)
      },
    }),
  }
  const streams = { stdout: sink('out'), stderr: sink('err') }
  const code = await cli({ argv, program: 'pet-adoption-conformance', env, ...streams, run, onInterrupt })
  if (listeners.size > 0) throw new Error('the program still listens for interrupts')
  return { code, ...written, requests }
}

/** Writes a file into the folder and returns its path. A value that is not a string is written as JSON. */
export function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
