import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { accepts, freePort } from './free-port.ts'
import type { Part } from './part.ts'
import { findPgBouncer, folderFor, unprivilegedUser } from './postgres-programs.ts'

/** A PgBouncer in transaction mode, with its default settings. */
export interface PrivatePgBouncer {
  readonly port: number
  start(): Promise<void>
  /** Ends it at once, and the transactions of its clients. */
  stop(): Promise<void>
}

/** Starts one in front of the PostgreSQL of a port, if this machine has the program. It is ended when the test file is done. */
export async function createPrivatePgBouncer(target: number): Promise<Part<PrivatePgBouncer>> {
  const found = findPgBouncer()
  if (found === undefined) return { absent: 'this machine has no pgbouncer' }
  const program = join(found, 'pgbouncer')
  let process: ChildProcess | undefined
  const user = await unprivilegedUser()

  async function stop(): Promise<void> {
    if (!process || process.exitCode !== null || process.signalCode !== null) return
    process.kill('SIGKILL')
    await once(process, 'exit')
  }

  const folder = await folderFor(user, stop)
  const port = await freePort()
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${target}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users')}`,
    'pool_mode = transaction',
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${lines.join('\n')}\n`)
  await writeFile(join(folder, 'users'), '"postgres" ""\n')

  async function start(): Promise<void> {
    process = spawn(program, ['-q', file], { stdio: 'ignore', ...user })
    while (!(await accepts(port))) {
      if (process.exitCode !== null) throw new Error(`pgbouncer -q ${file} exited: start it by hand`)
      await setTimeout(20)
    }
  }

  await start()
  return { value: { port, start, stop } }
}
