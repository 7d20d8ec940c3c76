import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createDatabase } from './database.ts'
import { requestHeaders } from './load.ts'
import { pin, type Server, serverOf } from './server.ts'
import { key, limits, makePets } from './world.ts'

export const storageIds = ['memory', 'sqlite', 'postgres'] as const

export type StorageId = (typeof storageIds)[number]

/** How the built program is started. */
export interface ProgramOptions {
  /** The folder of the package. */
  readonly root: string
  readonly storage?: StorageId
  readonly log?: readonly string[]
}

/**
 * Prints the lines up to the one that has the address, and drops the rest: a reader of the log that costs no more than the
 * reading.
 */
const reader =
  'while IFS= read -r line; do echo "$line"; case $line in *listening*) exec cat >/dev/null;; esac; done'

/** Starts the built program in a folder of its own, with the animals of the scenarios, which it gets through the interface. */
export async function startProgram(options: ProgramOptions): Promise<Server> {
  const { root, storage = 'memory', log = ['--log', 'silent'] } = options
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-bench-'))
  const database = storage === 'postgres' ? await createDatabase() : undefined
  const flags = {
    memory: ['--memory'],
    sqlite: ['--data', join(folder, 'animals.sqlite')],
    postgres: [],
  }[storage]
  const cleanUp = async () => {
    rmSync(folder, { recursive: true })
    await database?.drop()
  }
  let server: Server | undefined
  try {
    const keys = join(folder, 'keys.json')
    const sha256 = createHash('sha256').update(key).digest('hex')
    writeFileSync(keys, JSON.stringify({ keys: [{ id: 'bench', sha256, plan: 'enterprise', limits }] }))
    const program = join(root, 'dist/adapters/standalone/main.js')
    const command = [process.execPath, program, '--port', '0', '--keys', keys, ...flags, ...log]
    server = await startWithLog(command, folder, database && { DATABASE_URL: database.place })
    await addPets(server.origin)
    const { stop } = server
    return { ...server, stop: () => stop().finally(cleanUp) }
  } catch (cause) {
    await server?.stop()
    await cleanUp()
    throw cause
  }
}

/** Starts the program behind a real pipe, as a container or a shell does, whose reader runs on the core of the load. */
async function startWithLog(
  command: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> | undefined,
): Promise<Server> {
  const { child, log } = withPipe(folder, (out) =>
    spawnWith('server', command, ['ignore', out, 'inherit'], env),
  )
  for await (const line of createInterface({ input: log })) {
    const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(line) ?? []
    if (origin && line.includes('listening')) return serverOf(child, origin)
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
    const child = start(output)
    const { stdout } = spawnWith('load', ['sh', '-c', reader], [input, 'pipe', 'inherit'])
    if (!stdout) throw new Error('the reader of the log has no output')
    return { child, log: stdout }
  } finally {
    for (const descriptor of [both, input, output]) closeSync(descriptor)
  }
}

function spawnWith(
  role: 'server' | 'load',
  command: readonly string[],
  stdio: readonly ('ignore' | 'pipe' | 'inherit' | number)[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [program, ...args] = pin(role, command)
  return spawn(program, args, { stdio: [...stdio], env: { ...process.env, ...env } })
}

async function addPets(origin: string): Promise<void> {
  for (const { name, categoryId, status } of makePets()) {
    const body = JSON.stringify({ name, categoryId, status })
    const response = await fetch(`${origin}/v1/pets`, { method: 'POST', headers: requestHeaders, body })
    await response.arrayBuffer()
    if (response.status !== 201) throw new Error(`an animal was not added: ${response.status}`)
  }
}
