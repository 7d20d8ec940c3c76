import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgramFolder, findUnprivilegedUser } from './private-postgres.ts'
import { type Program, startProgram } from './program.ts'
import type { Resource } from './resource.ts'

/** Options for a PgBouncer server. */
export interface PgBouncerOptions {
  /**
   * The pool mode.
   *
   * @default 'transaction'
   */
  readonly mode?: 'session' | 'transaction'
  /**
   * Startup parameters to ignore, separated by commas.
   *
   * @default 'options'
   */
  readonly ignored?: string
}

/** Starts PgBouncer for a PostgreSQL server on a port, and stops it after the tests. */
export async function createPrivatePgBouncer(
  target: number,
  { mode = 'transaction', ignored = 'options' }: PgBouncerOptions = {},
): Promise<Resource<Program>> {
  const programFolder = await findProgramFolder('pgbouncer')
  if (programFolder === undefined) return { absent: 'pgbouncer is not installed' }
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
      'server_login_retry = 1', // seconds; the default is 15
    ]
    writeFileSync(file, `${lines.join('\n')}\n`)
    writeFileSync(users, '"postgres" ""\n')
    return ['-q', file]
  }
  return {
    value: await startProgram(join(programFolder, 'pgbouncer'), configure, await findUnprivilegedUser()),
  }
}
