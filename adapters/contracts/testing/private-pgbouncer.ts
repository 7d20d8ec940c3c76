import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import type { Part } from './part.ts'
import { findPgBouncer, folderFor, unprivilegedUser } from './postgres-programs.ts'
import { createProgram, type Program } from './program.ts'

/**
 * Starts a PgBouncer in transaction mode, with its default settings, in front of the PostgreSQL of a port, if this
 * machine has the program. It is ended when the test file is done.
 */
export async function createPrivatePgBouncer(target: number): Promise<Part<Program>> {
  const found = findPgBouncer()
  if (found === undefined) return { absent: 'this machine has no pgbouncer' }
  const user = await unprivilegedUser()
  const folder = await folderFor(user, () => pooler.stop())
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

  const pooler = createProgram(port, join(found, 'pgbouncer'), ['-q', file], user)
  await pooler.start()
  return { value: pooler }
}
