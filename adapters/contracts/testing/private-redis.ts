import { spawnSync } from 'node:child_process'
import { after } from 'node:test'
import { freePort } from './free-port.ts'
import type { Part } from './part.ts'
import { createProgram, type Program } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A Redis that one test file starts for itself. It saves nothing when it ends. */
export type PrivateRedis = Program

/** Starts one, if this machine has the program. It is ended when the test file is done. */
export async function createPrivateRedis(...settings: string[]): Promise<Part<PrivateRedis>> {
  if (spawnSync('redis-server', ['--version']).error) return { absent: 'this machine has no redis-server' }
  after(() => server.stop()) // before its folder is removed
  const folder = temporaryFolder()
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings]
  const server = createProgram(port, 'redis-server', args)
  await server.start()
  return { value: server }
}
