import { spawnSync } from 'node:child_process'
import type { Part } from './part.ts'
import { type Program, startProgram } from './program.ts'

/** A Redis that one test file starts for itself. It saves nothing when it ends. */
export type PrivateRedis = Program

/** Starts one, if this machine has the programs. It is ended when the test file is done. */
export async function createPrivateRedis(...settings: string[]): Promise<Part<PrivateRedis>> {
  const absent = ['redis-server', 'redis-cli'].find((program) => spawnSync(program, ['--version']).error)
  if (absent) return { absent: `this machine has no ${absent}` }
  const always = ['--bind', '127.0.0.1', '--save', '']
  const createArgs = (port: number, folder: string) => [
    '--port',
    `${port}`,
    '--dir',
    folder,
    ...always,
    ...settings,
  ]
  return { value: await startProgram('redis-server', createArgs) }
}
