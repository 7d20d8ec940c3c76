import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { readAll } from '../../testing/animals.ts'
import { stop } from '../../testing/command.ts'
import type { LaunchedServer } from '../../testing/launch.ts'
import { type Exchange, type Kind, type Load, type LoadOptions, startLoad } from '../../testing/load.ts'
import { send } from '../../testing/request.ts'

export interface Fault {
  /** Begins the fault. */
  fail(): unknown
  /** How long it lasts, in milliseconds. */
  readonly ms: number
  /** Ends it. */
  repair(): unknown
}

/** What clients saw of a fault in their requests of one kind. Times are in milliseconds. */
export interface Effect {
  /** How often each status, or each error of a connection, came while the fault lasted. */
  readonly results: Readonly<Record<string, number>>
  /** The longest request that ended while the fault lasted. */
  readonly longestMs: number
  /** The longest request that began after the first failure, and before the end of the fault. */
  readonly laterMs: number
  /** The longest `Retry-After`, in seconds. */
  readonly retryAfter: number
  /** From the end of the fault to the first success. */
  readonly againMs: number
  /** From the beginning of the fault to the last failure. */
  readonly failingMs: number
}

export interface Endured extends Readonly<Record<Kind, Effect>> {
  /** How many creations had a 201, and how many of these the storage lacks. */
  readonly acknowledged: number
  readonly lost: number
}

/** Lets a fault happen under a load, which it ends, and prints what clients saw. */
export async function endure(
  t: TestContext,
  load: Load,
  base: string,
  { fail, ms, repair }: Fault,
  key?: string,
): Promise<Endured> {
  const begin = performance.now()
  await Promise.all([load.success('list', begin), load.success('create', begin)])
  const failedAt = performance.now()
  await fail()
  await setTimeout(ms)
  const repairedAt = performance.now()
  await repair()
  const [list, create] = await Promise.all([
    load.success('list', repairedAt),
    load.success('create', repairedAt),
  ])
  await setTimeout(500)
  await load.end()
  const stored = new Set((await readAll(base, key)).map(({ id }) => id))
  const of = (kind: Kind, againAt: number) =>
    effectOf(
      load.exchanges.filter((each) => each.kind === kind),
      { failedAt, repairedAt, againAt },
    )
  const endured: Endured = {
    list: of('list', list),
    create: of('create', create),
    acknowledged: load.created.length,
    lost: load.created.filter((id) => !stored.has(id)).length,
  }
  for (const kind of ['list', 'create'] as const) t.diagnostic(`${kind}: ${describe(endured[kind])}`)
  t.diagnostic(`${endured.lost} of ${endured.acknowledged} acknowledged creations lost`)
  return endured
}

/** Lets a server endure a fault of its storage, which makes it not ready and loses no animal, and stops it. */
export async function endureStorage(
  t: TestContext,
  server: LaunchedServer,
  { fail, ms, repair }: Fault,
  options: LoadOptions = {},
): Promise<Endured> {
  const readiness = async () => (await send(new URL('/readyz', server.base).href)).status
  const fault: Fault = {
    fail,
    ms,
    async repair() {
      assert.equal(await readiness(), 503)
      await repair()
    },
  }
  const endured = await endure(t, startLoad(server.base, options), server.base, fault, options.key)
  assert.equal(await readiness(), 200)
  assert.equal(endured.lost, 0)
  await stop(server)
  return endured
}

/** Asserts that requests got 503 and nothing worse, within the bounds, and were served again. */
export function assertRejected({ results, longestMs, laterMs, againMs }: Effect): void {
  assert.ok((results[503] ?? 0) > 0)
  const others = Object.keys(results).filter((result) => !['200', '201', '503'].includes(result))
  assert.deepEqual(others, [])
  assert.ok(longestMs < 6_500, `${longestMs} ms`)
  assert.ok(laterMs < 2_000, `${laterMs} ms`)
  assert.ok(againMs < 5_000, `${againMs} ms`)
}

interface Moments {
  readonly failedAt: number
  readonly repairedAt: number
  readonly againAt: number
}

function effectOf(exchanges: readonly Exchange[], { failedAt, repairedAt, againAt }: Moments): Effect {
  const meanwhile = exchanges.filter(({ endedAt }) => endedAt >= failedAt && endedAt <= repairedAt)
  const results: Record<string, number> = {}
  for (const { result } of meanwhile) results[result] = (results[result] ?? 0) + 1
  const failures = exchanges.filter(({ endedAt, result }) => endedAt >= failedAt && !(Number(result) < 300))
  const firstFailure = Math.min(...failures.map(({ endedAt }) => endedAt))
  return {
    results,
    longestMs: longest(meanwhile),
    laterMs: longest(exchanges.filter(({ startedAt }) => startedAt > firstFailure && startedAt < repairedAt)),
    retryAfter: Math.max(0, ...meanwhile.map(({ retryAfter }) => retryAfter)),
    againMs: againAt - repairedAt,
    failingMs: Math.max(0, ...failures.map(({ endedAt }) => endedAt - failedAt)),
  }
}

function longest(exchanges: readonly Exchange[]): number {
  return Math.max(0, ...exchanges.map(({ startedAt, endedAt }) => endedAt - startedAt))
}

function describe({ results, longestMs, laterMs, retryAfter, againMs, failingMs }: Effect): string {
  const counts = Object.entries(results).map(([result, count]) => `${count} of ${result}`)
  return `${counts.join(', ')}; at most ${longestMs.toFixed()} ms, later ${laterMs.toFixed()} ms; Retry-After at most ${retryAfter} s; the last failure after ${failingMs.toFixed()} ms; works ${againMs.toFixed()} ms after the repair`
}
