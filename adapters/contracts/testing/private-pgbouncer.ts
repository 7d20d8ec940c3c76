import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from './part.ts'
import { findFolder, unprivilegedUser } from './private-postgres.ts'
import { type Program, startProgram } from './program.ts'

/** Options of a PgBouncer. */
export interface PgBouncerOptions {
  /** Its `pool_mode`; transaction by default. */
  readonly mode?: 'session' | 'transaction'
  /** Its `ignore_startup_parameters`; by default the settings of a session, as the manual says. */
  readonly ignored?: string
}

/**
 * Starts a PgBouncer in front of the PostgreSQL of a port, if this machine has the program. It ends when the test file
 * is done.
 */
export async function createPrivatePgBouncer(
  target: number,
  { mode = 'transaction', ignored = 'options' }: PgBouncerOptions = {},
): Promise<Part<Program>> {
  const found = await findFolder('pgbouncer')
  if (found === undefined) return { absent: 'this machine has no pgbouncer' }
  function configure(port: number, folder: string): readonly string[] {
    const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users')]
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${target}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      `ignore_startup_parameters = ${ignored}`,
      'server_login_retry = 1', // seconds; 15 by default, which would delay each recovery
    ]
    writeFileSync(file, `${lines.join('\n')}\n`)
    writeFileSync(users, '"postgres" ""\n')
    return ['-q', file]
  }
  return { value: await startProgram(join(found, 'pgbouncer'), configure, await unprivilegedUser()) }
}
