import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../database.ts'
import { type Server, startNode } from '../server.ts'
import { addPets, startProgram } from './program.ts'

export const standaloneSideIds = ['bare', 'silent', 'logged', 'sqlite', 'postgres'] as const

export type StandaloneSideId = (typeof standaloneSideIds)[number]

export interface StandaloneSide {
  readonly title: string
  /** Starts the server with the animals of the scenarios. Resolves with the reason where the machine lacks a part. */
  start(node: string): Promise<Server | { readonly reason: string }>
}

const silent = ['--log', 'silent']

/** The measured servers. The storages are silent too, so that their rows differ from `silent` by the storage alone. */
export const standaloneSides: Readonly<Record<StandaloneSideId, StandaloneSide>> = {
  bare: {
    title: 'bare node:http',
    start: (node) => startNode('sides/bare.ts', ['X-Request-Id', randomUUID()], node),
  },
  silent: {
    title: '--memory --log silent',
    start: (node) => inFolder((folder) => startProgram({ node, folder, flags: ['--memory', ...silent] })),
  },
  logged: {
    title: '--memory --log json --metrics',
    start: (node) =>
      inFolder((folder) => startProgram({ node, folder, flags: ['--memory', '--log', 'json', '--metrics'] })),
  },
  sqlite: {
    title: '--data FILE --log silent',
    async start(node) {
      if (!hasSqlite(node)) return { reason: 'this Node has no SQLite: use Node 22.13 or later' }
      return inFolder((folder) =>
        startProgram({ node, folder, flags: ['--data', join(folder, 'animals.sqlite'), ...silent] }),
      )
    },
  },
  postgres: {
    title: '--postgres URL --log silent',
    async start(node) {
      const database = await createDatabase()
      if ('reason' in database) return database
      const env = { DATABASE_URL: database.url }
      return inFolder((folder) => startProgram({ node, folder, flags: silent, env }), database.drop)
    },
  },
}

/** Starts a server with a folder, adds the animals, and removes the folder when the server stops or does not start. */
async function inFolder(
  start: (folder: string) => Promise<Server>,
  cleanUp = async () => {},
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-bench-'))
  const remove = async () => {
    rmSync(folder, { recursive: true })
    await cleanUp()
  }
  let server: Server | undefined
  try {
    server = await start(folder)
    await addPets(server.origin)
  } catch (cause) {
    await server?.stop()
    await remove()
    throw cause
  }
  const { stop } = server
  return { ...server, stop: () => stop().finally(remove) }
}

function hasSqlite(node: string): boolean {
  return execFileSync(node, ['-p', 'process.versions.sqlite'], { encoding: 'utf8' }).trim() !== 'undefined'
}
