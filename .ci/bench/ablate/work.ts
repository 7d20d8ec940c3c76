import { createMemoryStore, type PetStore, type ServiceRequest } from '../../../dist/core/index.js'
import { requestHeaders } from '../load.ts'
import { changePath, type MixedRequest, mix } from '../mix.ts'
import { changePet, createService } from '../our-service.ts'
import { type ScenarioId, scenarios } from '../scenarios.ts'
import { key, limits, makePets } from '../world.ts'

/** Does so many units of work, such as requests, in this process. */
export type Work = (count: number) => Promise<void>

/** The work of each row that is measured without a socket. */
export const works: Readonly<Record<string, () => Promise<Work>>> = {
  'core list20': () => handling([scenarios.list20]),
  'core list100': () => handling([scenarios.list100]),
  'core getPet': () => handling([scenarios.getPet]),
  'core createPet': () => handling([scenarios.createPet]),
  'core mix': () => handling(mix),
  'sqlite list20': async () => handling([scenarios.list20], await openSqlite()),
  'sqlite list100': async () => handling([scenarios.list100], await openSqlite()),
  'sqlite mix': async () => handling(mix, await openSqlite()),
  'sqlite key': findingKeys,
  'limiter of 1,000 keys': () => charging(1_000),
  'limiter of 1,000,000 keys': () => charging(1_000_000),
  'log line': logging,
}

/** Passes requests to the service in turn. */
async function handling(
  requests: readonly MixedRequest[] | readonly (typeof scenarios)[ScenarioId][],
  store: PetStore = createMemoryStore(),
): Promise<Work> {
  const service = await createService(makePets(), store)
  const encoder = new TextEncoder()
  const headers = Object.entries(requestHeaders).map(([name, value]) => [name.toLowerCase(), value] as const)
  const steps = requests.map(({ method, target, requestBody }) => {
    const bytes = encoder.encode(requestBody)
    const fields = new Map([
      ...headers,
      ['host', 'pets.example'],
      ...(method === 'POST' ? [['content-length', String(bytes.length)] as const] : []),
    ])
    const request: ServiceRequest = {
      method,
      target,
      httpVersion: '1.1',
      client: '127.0.0.1',
      header: (name) => fields.get(name),
      body: async () => bytes,
    }
    return target.startsWith(changePath) ? target : request
  })
  let next = 0
  return async (count) => {
    for (let i = 0; i < count; i++) {
      const step = steps[next++ % steps.length]
      if (typeof step === 'string') await changePet(store, step)
      else if (step) {
        const response = service.handle(step)
        if ((response instanceof Promise ? await response : response).status >= 300)
          throw new Error(`${step.method} ${step.target} failed`)
      }
    }
  }
}

async function openDatabase() {
  const { DatabaseSync } = await import('node:sqlite')
  return new DatabaseSync(':memory:')
}

async function openSqlite(): Promise<PetStore> {
  const { createSqliteStore } = await import('../../../dist/adapters/sqlite.js')
  return createSqliteStore({ database: await openDatabase() })
}

async function findingKeys(): Promise<Work> {
  const { createSqliteKeyStore } = await import('../../../dist/adapters/sqlite.js')
  const { sha256 } = await import('../../../dist/core/index.js')
  const keys = createSqliteKeyStore({ database: await openDatabase() })
  const record = { id: 'bench', sha256: sha256(key), plan: 'enterprise', limits } as const
  await keys.update({ id: 'bench' }, () => [record])
  return async (count) => {
    for (let i = 0; i < count; i++) keys.find(key)
  }
}

/** Charges callers in an order that defeats CPU caches. */
async function charging(callers: number): Promise<Work> {
  const { createMemoryLimiter } = await import('../../../dist/core/index.js')
  const limiter = createMemoryLimiter()
  const both = [
    { requests: limits.minute, windowMs: 60_000 },
    { requests: limits.day, windowMs: 86_400_000 },
  ]
  const ids = Array.from({ length: callers }, (_, i) => `key:caller-${i}`)
  for (const id of ids) limiter.consume(id, both)
  let next = 0
  return async (count) => {
    for (let i = 0; i < count; i++) {
      next = (next + 611_953) % callers
      limiter.consume(ids[next] ?? '', both)
    }
  }
}

async function logging(): Promise<Work> {
  const { createLog } = await import('../../../adapters/standalone/log/log.ts') // the package has no declarations of it
  const { Writable } = await import('node:stream')
  const nothing = () => new Writable({ write: (_chunk, _encoding, done) => done() })
  const log = createLog('json', { stdout: nothing(), stderr: nothing() }, Date.now)
  const line = { operation: 'listPets', method: 'GET', status: 200, code: undefined, durationMs: 0.123456 }
  const caller = { caller: 'bench', client: '127.0.0.1', requestId: '0388d1ec-7f0e-4a53-9f0a-6d3f4a0f2a11' }
  return async (count) => {
    for (let i = 0; i < count; i++) {
      log.response?.({ ...line, ...caller }, false)
      if (i % 64 === 63) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
