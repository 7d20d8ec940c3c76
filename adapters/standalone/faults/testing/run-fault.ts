import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { assertStored, readAllAnimals } from '../../testing/animals.ts'
import { stop } from '../../testing/command.ts'
import type { LaunchedServer } from '../../testing/launch.ts'
import {
  countResults,
  isSuccess,
  type Load,
  type LoadOptions,
  type LoadRequest,
  type RequestKind,
  startLoad,
} from '../../testing/load.ts'
import { send } from '../../testing/request.ts'

export interface Fault {
  fail(): unknown
  /** How long the fault lasts, in milliseconds, or a function that waits for its end. */
  readonly durationMs: number | (() => Promise<void>)
  repair(): unknown
  /** Whether acknowledged creations may be lost. */
  readonly losesCreations?: boolean
  /** How `/readyz` must respond during the fault, `fails` by default. */
  readonly readyz?: 'fails' | 'works' | 'may fail'
}

/** How a fault affected one kind of request. */
export interface FaultEffect {
  /** Counts requests during the fault by status or error code. */
  readonly results: Readonly<Record<string, number>>
  /** Longest request during the fault, in milliseconds. */
  readonly longestMs: number
  /**
   * Counts requests that were sent after the first failure and took more than one second, such as the circuit breaker's
   * probes.
   */
  readonly slowRequests: number
  /** Time from the repair to the first successful response, in milliseconds. */
  readonly recoveryMs: number
  /** Time from the beginning of the fault to the last failed request, in milliseconds. */
  readonly lastFailureMs: number
}

export type FaultResult = Readonly<Record<RequestKind, FaultEffect>>

/**
 * Causes a fault under load, repairs it, and prints its effect and how many animals were lost. Checks that all
 * acknowledged creations are stored.
 */
export async function runFault(
  t: TestContext,
  load: Load,
  base: string,
  { fail, durationMs, repair, losesCreations = false }: Fault,
  key?: string,
): Promise<FaultResult> {
  const waitForOneOfEach = () => Promise.all([load.waitForMore(1, 'list'), load.waitForMore(1, 'create')])
  await waitForOneOfEach()
  const failedAt = performance.now()
  await fail()
  await (typeof durationMs === 'number' ? setTimeout(durationMs) : durationMs())
  const repairedAt = performance.now()
  await repair()
  const recoveredAt = performance.now()
  await waitForOneOfEach()
  await setTimeout(500)
  await load.end()
  const stored = await readAllAnimals(base, key)
  if (!losesCreations) assertStored(stored, load.acknowledged)
  const ids = new Set(stored.map(({ id }) => id))
  const lost = load.acknowledged.filter(({ id }) => !ids.has(id))
  t.diagnostic(`lost ${lost.length} of ${load.acknowledged.length} acknowledged creations`)

  function computeEffect(kind: RequestKind): FaultEffect {
    const sinceFault = load.requests.filter((each) => each.kind === kind && each.endedAt >= failedAt)
    const duringFault = sinceFault.filter(({ endedAt }) => endedAt <= repairedAt)
    const failures = sinceFault.filter((each) => !isSuccess(each))
    const again = sinceFault.find((each) => each.endedAt > repairedAt && isSuccess(each))
    const getDuration = (each: LoadRequest) => each.endedAt - each.startedAt
    const later = sinceFault.filter(({ startedAt }) => startedAt > (failures[0]?.endedAt ?? repairedAt))
    const effect: FaultEffect = {
      results: countResults(duringFault),
      longestMs: Math.max(0, ...duringFault.map(getDuration)),
      slowRequests: later.filter((each) => each.startedAt < repairedAt && getDuration(each) > 1_000).length,
      recoveryMs: Math.max(0, (again?.endedAt ?? Infinity) - recoveredAt),
      lastFailureMs: Math.max(0, ...failures.map(({ endedAt }) => endedAt - failedAt)),
    }
    const roundNumbers = (_: string, value: unknown) =>
      typeof value === 'number' ? Math.round(value) : value
    t.diagnostic(`${kind}: ${JSON.stringify(effect, roundNumbers)}`)
    return effect
  }

  return { list: computeEffect('list'), create: computeEffect('create') }
}

/**
 * Runs a storage fault and stops the server. `/readyz` must fail within 5 s, and succeed within 3 s after the repair.
 * With `readyz: 'works'` it must never fail.
 */
export async function runStorageFault(
  t: TestContext,
  server: LaunchedServer,
  { fail, durationMs, repair, readyz = 'fails' }: Fault,
  options: LoadOptions = {},
): Promise<FaultResult> {
  const readStatus = async () => (await send(new URL('/readyz', server.base).href)).status

  /** Waits until `/readyz` responds with a status. Returns the elapsed time in milliseconds. */
  async function waitForReadiness(status: number): Promise<number> {
    const startedAt = performance.now()
    const getElapsedMs = () => performance.now() - startedAt
    while (getElapsedMs() < 30_000 && (await readStatus()) !== status) await setTimeout(50)
    return getElapsedMs()
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
      if (readyz === 'fails') readiness.push(waitForReadiness(503))
    },
    durationMs,
    async repair() {
      await repair()
      isOver = true
      if (readyz === 'fails') readiness.push(waitForReadiness(200))
    },
  }
  const endured = await runFault(t, startLoad(server.base, options), server.base, fault, options.key)
  assert.deepEqual((await statuses) ?? [200], [200])
  if (readyz === 'fails') {
    const [unreadyMs = 0, readyMs = 0] = await Promise.all(readiness)
    t.diagnostic(`not ready after ${unreadyMs.toFixed()} ms, ready ${readyMs.toFixed()} ms after the repair`)
    assert.ok(unreadyMs < 5_000 && readyMs < 3_000)
  }
  await stop(server)
  return endured
}

/** Checks that reads succeeded and creations were rejected. */
export function assertReadOnly({ list, create }: FaultResult): void {
  assertRejected(create)
  assert.deepEqual(Object.keys(list.results), ['200'])
}

/** Checks that requests were rejected with 503 within 6 s, and succeeded again within 3 s after the repair. */
export function assertRejected({
  results,
  longestMs,
  slowRequests,
  recoveryMs,
  lastFailureMs,
}: FaultEffect): void {
  assert.ok((results[503] ?? 0) > 0)
  const others = Object.keys(results).filter((result) => !['200', '201', '503'].includes(result))
  assert.deepEqual(others, [])
  assert.ok(longestMs < 6_000, `${longestMs} ms`)
  assert.ok(slowRequests < 8 + lastFailureMs / 1_000, `${slowRequests} slow requests in ${lastFailureMs} ms`)
  assert.ok(recoveryMs < 3_000, `${recoveryMs} ms`)
}
