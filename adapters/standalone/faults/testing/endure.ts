import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { assertStored, readAll } from '../../testing/animals.ts'
import { stop } from '../../testing/command.ts'
import type { LaunchedServer } from '../../testing/launch.ts'
import {
  countBy,
  isSuccess,
  type Kind,
  type Load,
  type LoadOptions,
  type LoadRequest,
  startLoad,
} from '../../testing/load.ts'
import { send } from '../../testing/request.ts'

export interface Fault {
  /** Begins the fault. */
  fail(): unknown
  /** Its duration in milliseconds, or a function that resolves when it is over. */
  readonly ms: number | (() => Promise<void>)
  /** Ends it. */
  repair(): unknown
  /** True if it may lose animals that have their 201; false by default. */
  readonly loses?: boolean
  /** The health check of the server meanwhile; it fails by default. It works while reads do. */
  readonly readyz?: 'fails' | 'works' | 'may fail'
}

/** The effect of a fault on the requests of one kind. Times are in milliseconds. */
export interface Effect {
  /** Number of responses by status, and of connection errors by code, during the fault. */
  readonly results: Readonly<Record<string, number>>
  /** Duration of the longest request that ended during the fault. */
  readonly longestMs: number
  /** Number of requests after the first failure that took more than 1 s. They are the probes of a circuit breaker. */
  readonly trials: number
  /** Time from the end of the fault, when its repair is done, to the first success. */
  readonly againMs: number
  /** Time from the beginning of the fault to the last failure. */
  readonly failingMs: number
}

export type Endured = Readonly<Record<Kind, Effect>>

/** Runs a fault under a load, ends the load, and prints its effect and the number of lost animals. */
export async function endure(
  t: TestContext,
  load: Load,
  base: string,
  { fail, ms, repair, loses = false }: Fault,
  key?: string,
): Promise<Endured> {
  const oneOfEach = () => Promise.all([load.more(1, 'list'), load.more(1, 'create')])
  await oneOfEach()
  const failedAt = performance.now()
  await fail()
  await (typeof ms === 'number' ? setTimeout(ms) : ms())
  const repairedAt = performance.now()
  await repair()
  const backAt = performance.now()
  await oneOfEach()
  await setTimeout(500)
  await load.end()
  const stored = await readAll(base, key)
  if (!loses) assertStored(stored, load.acknowledged)
  const ids = new Set(stored.map(({ id }) => id))
  const lost = load.acknowledged.filter(({ id }) => !ids.has(id))
  t.diagnostic(`${lost.length} of ${load.acknowledged.length} acknowledged creations lost`)

  function effectOn(kind: Kind): Effect {
    const since = load.exchanges.filter((each) => each.kind === kind && each.endedAt >= failedAt)
    const meanwhile = since.filter(({ endedAt }) => endedAt <= repairedAt)
    const failures = since.filter((each) => !isSuccess(each))
    const again = since.find((each) => each.endedAt > repairedAt && isSuccess(each))
    const lasting = (each: LoadRequest) => each.endedAt - each.startedAt
    const later = since.filter(({ startedAt }) => startedAt > (failures[0]?.endedAt ?? repairedAt))
    const effect: Effect = {
      results: countBy(meanwhile),
      longestMs: Math.max(0, ...meanwhile.map(lasting)),
      trials: later.filter((each) => each.startedAt < repairedAt && lasting(each) > 1_000).length,
      againMs: Math.max(0, (again?.endedAt ?? Infinity) - backAt),
      failingMs: Math.max(0, ...failures.map(({ endedAt }) => endedAt - failedAt)),
    }
    const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value) : value)
    t.diagnostic(`${kind}: ${JSON.stringify(effect, rounded)}`)
    return effect
  }

  return { list: effectOn('list'), create: effectOn('create') }
}

/**
 * Runs a fault of the storage of a server. The server must be not ready within 5 s, and ready within 3 s of the repair,
 * or stay ready if it can still read. Stops it.
 */
export async function endureStorage(
  t: TestContext,
  server: LaunchedServer,
  { fail, ms, repair, readyz = 'fails' }: Fault,
  options: LoadOptions = {},
): Promise<Endured> {
  const readStatus = async () => (await send(new URL('/readyz', server.base).href)).status

  /** Resolves with the milliseconds until `/readyz` has this status. */
  async function untilReadiness(status: number): Promise<number> {
    const begin = performance.now()
    const passed = () => performance.now() - begin
    while (passed() < 30_000 && (await readStatus()) !== status) await setTimeout(50)
    return passed()
  }
  let isOver = false
  async function readStatuses(): Promise<number[]> {
    const statuses = new Set<number>()
    for (; !isOver; await setTimeout(100)) statuses.add(await readStatus())
    return [...statuses]
  }

  const readiness: Promise<number>[] = []
  let statuses: Promise<number[]> | undefined
  const fault: Fault = {
    async fail() {
      await fail()
      if (readyz === 'works') statuses = readStatuses()
      if (readyz === 'fails') readiness.push(untilReadiness(503))
    },
    ms,
    async repair() {
      await repair()
      isOver = true
      if (readyz === 'fails') readiness.push(untilReadiness(200))
    },
  }
  const endured = await endure(t, startLoad(server.base, options), server.base, fault, options.key)
  assert.deepEqual((await statuses) ?? [200], [200])
  if (readyz === 'fails') {
    const [unreadyMs = 0, readyMs = 0] = await Promise.all(readiness)
    t.diagnostic(`not ready after ${unreadyMs.toFixed()} ms, ready ${readyMs.toFixed()} ms after the repair`)
    assert.ok(unreadyMs < 5_000 && readyMs < 3_000)
  }
  await stop(server)
  return endured
}

/** Asserts that creations were rejected, and every list worked. */
export function assertListed({ list, create }: Endured): void {
  assertRejected(create)
  assert.deepEqual(Object.keys(list.results), ['200'])
}

/** Asserts that requests got 503 and nothing worse, within the bounds, and were served again. */
export function assertRejected({ results, longestMs, trials, againMs, failingMs }: Effect): void {
  assert.ok((results[503] ?? 0) > 0)
  const others = Object.keys(results).filter((result) => !['200', '201', '503'].includes(result))
  assert.deepEqual(others, [])
  assert.ok(longestMs < 6_000, `${longestMs} ms`)
  assert.ok(trials < 8 + failingMs / 1_000, `${trials} trials in ${failingMs} ms`)
  assert.ok(againMs < 3_000, `${againMs} ms`)
}
