import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../adapters/standalone/testing/storages.ts'
import { program, writeKeys } from '../server.mjs'
import { requestHeaders } from './load.ts'
import { pin, type Server, startServer } from './server.ts'
import { key, limits, makePets } from './world.ts'

export type StorageId = 'memory' | 'sqlite' | 'postgres'

/**
 * Pipes the server's log through a process on the load generator's core, so that reading the log costs the server
 * nothing.
 */
const piped = `exec "$@" > >(exec ${pin('load', ['sh', '-c', "'grep -m1 listening; exec cat >/dev/null'"]).join(' ')})`

/**
 * Starts the built standalone server and creates the benchmark's animals over HTTP.
 *
 * @param log flags for logs and metrics, by default no log
 */
export async function startProgram(storage: StorageId, log = ['--log', 'silent']): Promise<Server> {
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
    const keys = writeKeys(folder, [['bench', key, { plan: 'enterprise', limits }]])
    const command = [process.execPath, program, '--port', '0', '--keys', keys, ...log, ...flags]
    const env = database && { DATABASE_URL: database.url }
    server = await startServer(['bash', '-c', piped, 'bash', ...command], env)
    await createPets(server.origin)
    const { stop } = server
    return { ...server, stop: () => stop().finally(cleanUp) }
  } catch (cause) {
    await server?.stop()
    await cleanUp()
    throw cause
  }
}

async function createPets(origin: string): Promise<void> {
  for (const { name, categoryId, status } of makePets()) {
    const body = JSON.stringify({ name, categoryId, status })
    const response = await fetch(`${origin}/v1/pets`, { method: 'POST', headers: requestHeaders, body })
    await response.arrayBuffer()
    if (response.status !== 201) throw new Error(`createPet failed with status ${response.status}`)
  }
}
