import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pin } from '../cores.ts'
import { requestHeaders } from '../load.ts'
import { type Server, serverOf } from '../server.ts'
import { key, limits, makePets, type NewPet } from '../world.ts'

/** The built program. */
export const program: string = fileURLToPath(
  new URL('../../../dist/adapters/standalone/main.js', import.meta.url),
)

/** How the program is started. */
export interface ProgramOptions {
  /** The path of the Node that runs it. */
  readonly node: string
  /** A folder for its files. */
  readonly folder: string
  /** The flags that choose its storage, log and metrics. */
  readonly flags: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Prints the lines up to the one that has the address, and drops the rest: a reader of the log that costs no more than the
 * reading.
 */
const reader =
  'while IFS= read -r line; do echo "$line"; case $line in *listening*) exec cat >/dev/null;; esac; done'

/**
 * Starts the program behind a real pipe, as a container or a shell does, whose reader runs on the core of the load.
 *
 * @throws Error if the program exits before it listens.
 */
export async function startProgram({ node, folder, flags, env }: ProgramOptions): Promise<Server> {
  const keys = join(folder, 'keys.json')
  writeFileSync(
    keys,
    JSON.stringify({
      keys: [
        { id: 'bench', sha256: createHash('sha256').update(key).digest('hex'), plan: 'enterprise', limits },
      ],
    }),
  )
  const command = pin('server', [node, program, '--port', '0', '--keys', keys, ...flags])
  const { server, log } = withPipe(folder, (out) => spawnWith(command, ['ignore', out, 'inherit'], env))
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGKILL')
    await ended
  }
  try {
    const lines = createInterface({ input: log })
    for await (const line of lines) {
      const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(line) ?? []
      if (origin && line.includes('listening')) return serverOf(server, origin, stop)
    }
  } catch (cause) {
    await stop()
    throw cause
  }
  throw new Error(`${command.join(' ')} exited before it listened`)
}

/** Starts a process whose stdout is a pipe. A pipe that Node makes for a child would be a Unix socket. */
function withPipe(folder: string, start: (out: number) => ChildProcess) {
  const fifo = join(folder, 'log')
  execFileSync('mkfifo', [fifo])
  const both = openSync(fifo, 'r+') // opening one end alone would wait for the other
  const input = openSync(fifo, 'r')
  const output = openSync(fifo, 'w')
  try {
    const server = start(output)
    const { stdout } = spawnWith(pin('load', ['sh', '-c', reader]), [input, 'pipe', 'inherit'])
    if (!stdout) throw new Error('the reader of the log has no output')
    return { server, log: stdout }
  } finally {
    for (const descriptor of [both, input, output]) closeSync(descriptor)
  }
}

function spawnWith(
  [command, ...args]: readonly [string, ...string[]],
  stdio: readonly ('ignore' | 'pipe' | 'inherit' | number)[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(command, args, { stdio: [...stdio], env: { ...process.env, ...env } })
}

/** Adds the animals of the scenarios through the interface, in their order. */
export async function addPets(origin: string): Promise<void> {
  for (const { name, categoryId, status } of makePets()) {
    const pet: NewPet = { name, categoryId, status }
    const response = await fetch(`${origin}/v1/pets`, {
      method: 'POST',
      headers: requestHeaders,
      body: JSON.stringify(pet),
    })
    await response.arrayBuffer()
    if (response.status !== 201) throw new Error(`an animal was not added: ${response.status}`)
  }
}
