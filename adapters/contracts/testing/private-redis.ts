import { spawnSync } from 'node:child_process'
import { type Program, startProgram } from './program.ts'
import type { Resource } from './resource.ts'

/** A Redis server for one test file. */
export type PrivateRedis = Program

const missingProgram = ['redis-server', 'redis-cli'].find(
  (program) => spawnSync(program, ['--version']).error,
)

/** Starts a Redis server with these settings, and stops it after the tests. */
export async function createPrivateRedis(...settings: string[]): Promise<Resource<PrivateRedis>> {
  if (missingProgram) return { absent: `${missingProgram} is not installed` }
  const commonArgs = ['--bind', '127.0.0.1', '--save', '']
  const createArgs = (port: number, folder: string) => [
    '--port',
    `${port}`,
    '--dir',
    folder,
    ...commonArgs,
    ...settings,
  ]
  return { value: await startProgram('redis-server', createArgs) }
}
