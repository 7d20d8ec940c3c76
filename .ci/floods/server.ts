import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Memory, memoryOf } from './process-figures.ts'

/** The runtime of the server. */
export interface Runtime {
  readonly kind: 'node' | 'deno' | 'bun'
  readonly program: string
}

/** A server under attack. */
export interface Server {
  readonly pid: number
  readonly port: number
  readonly isAlive: boolean
  /** The end of its stderr so far. */
  readonly errors: string
  /** Returns its resident memory, after its end the last figure; undefined where the system does not report it. */
  memory(): Memory | undefined
  stop(): Promise<void>
}

const heap = '--max-old-space-size=512'
const standalone = path('../../dist/adapters/standalone/main.js')
const fetchServer = path('fetch-server.ts')

/** The arguments for a server with a keys file on a free port: the standalone server on Node, else the Fetch mount. */
const commands: Readonly<Record<Runtime['kind'], (keysFile: string) => readonly string[]>> = {
  node: (keysFile) => [heap, standalone, '--memory', '--port', '0', '--keys', keysFile],
  deno: (keysFile) => [
    'run',
    '--quiet',
    '--allow-all',
    '--no-check',
    `--v8-flags=${heap}`,
    fetchServer,
    keysFile,
  ],
  bun: (keysFile) => [fetchServer, keysFile],
}

const startMs = 20_000
const errorsLength = 65_536

/** Starts a server. Rejects where it does not listen in time. */
export async function startServer(
  { kind, program }: Runtime,
  keys: string,
  descriptors?: number,
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-hostile-'))
  const keysFile = join(folder, 'keys.json')
  writeFileSync(keysFile, keys, { mode: 0o600 })
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors} && `
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, program, ...commands[kind](keysFile)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
  })
  const { pid = 0 } = child // 0 where it did not start: then the promise below rejects
  const clear = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', clear)
  const ended = once(child, 'exit').finally(() => {
    process.off('exit', clear)
    clear()
  })
  let errors = ''
  let memory: Memory | undefined
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-errorsLength)
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const late = setTimeout(() => child.kill('SIGKILL'), startMs)
  try {
    return {
      pid,
      port: await portOf(child.stdout, ended),
      get isAlive() {
        return child.exitCode === null && child.signalCode === null
      },
      get errors() {
        return errors
      },
      memory() {
        memory = memoryOf(pid) ?? memory
        return memory
      },
      stop,
    }
  } catch {
    await stop()
    throw new Error(`${program} does not serve; has "npm run build" been run? ${errors}`)
  } finally {
    clearTimeout(late)
  }
}

/** Reads the port that a server announces. The rest of its output is discarded, so that its log never waits. */
async function portOf(stdout: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<number> {
  const lines = createInterface({ input: stdout })
  const announced = new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      const [, port] = /^listening on http:\/\/[^/]*:(\d+)\//.exec(line) ?? []
      if (port) resolve(Number(port))
    })
  })
  const port = await Promise.race([announced, ended.then(() => Promise.reject(new Error('it ended')))])
  lines.close()
  stdout.resume()
  return port
}

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
