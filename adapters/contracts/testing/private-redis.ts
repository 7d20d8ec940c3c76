import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { accepts, freePort } from './free-port.ts'
import type { Part } from './part.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A Redis that one test file starts for itself. It saves nothing when it ends. */
export interface PrivateRedis {
  readonly port: number
  start(): Promise<void>
  stop(): Promise<void>
  /** Stands still: it accepts connections, and does not respond. */
  pause(): void
  resume(): void
}

/** Starts one, if this machine has the program. It is ended when the test file is done. */
export async function createPrivateRedis(...settings: string[]): Promise<Part<PrivateRedis>> {
  if (spawnSync('redis-server', ['--version']).error) return { absent: 'this machine has no redis-server' }
  after(() => stop()) // before its folder is removed
  const folder = temporaryFolder()
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings]
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    server = spawn('redis-server', args, { stdio: 'ignore' })
    while (!(await accepts(port))) {
      if (server.exitCode !== null) throw new Error(`redis-server ${args.join(' ')} exited: start it by hand`)
      await setTimeout(10)
    }
  }

  async function stop(): Promise<void> {
    if (server?.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }

  function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    server?.kill(name)
  }

  await start()
  return { value: { port, start, stop, pause: () => signal('SIGSTOP'), resume: () => signal('SIGCONT') } }
}
