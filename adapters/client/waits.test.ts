import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { cut, error, json, scripted, type Turn } from './testing/scripted.ts'

/** What a deployment does with one request. */
interface Event {
  readonly status: number
  /** Seconds of `Retry-After`; 0 for none. */
  readonly told: number
  readonly remaining: number
}

const someEvent: fc.Arbitrary<Event> = fc.record({
  status: fc.constantFrom(200, 200, 404, 429, 429, 429, 502, 503, 0),
  told: fc.constantFrom(0, 1, 2, 7, 30, 60),
  remaining: fc.nat(5),
})

function turnOf({ status, told, remaining }: Event): Turn {
  const headers = {
    'X-RateLimit-Remaining': String(remaining),
    ...(told > 0 && { 'Retry-After': String(told) }),
  }
  if (status === 0) return cut
  return status === 200 ? json(200, '[]', headers) : error(status, headers)
}

/** Ten calls at once, then one every seven seconds, to a deployment that does what the events say, then succeeds. */
const someRun = fc.record({
  events: fc.array(someEvent, { maxLength: 40, size: 'max' }),
  randoms: fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
  maxWaitMs: fc.constantFrom(0, 5_000, 120_000),
  pace: fc.boolean(),
})

it('whatever a deployment does, nothing is sent before a Retry-After is over, each call ends, and none waits longer than maxWaitMs', async () => {
  await fc.assert(
    fc.asyncProperty(someRun, async ({ events, randoms, maxWaitMs, pace }) => {
      const early: number[] = []
      let closedAt = -1
      let closedUntil = 0
      const turns = events.map(
        (event): Turn =>
          (request, time) => {
            const now = time.elapsed() // what was under way with the request of a 429 comes at the same moment
            if (now < closedUntil && now !== closedAt) early.push(now)
            if (event.status === 429) {
              closedAt = now
              closedUntil = Math.max(closedUntil, now + event.told * 1_000)
            }
            return turnOf(event)(request, time)
          },
      )
      const waited = new Map<number, number>()
      const run = scripted([...turns, json(200, '[]')], {
        maxWaitMs,
        pace,
        random: () => Number(randoms.next().value),
        onRetry: ({ attempt, waitMs }) => waited.set(attempt, (waited.get(attempt) ?? 0) + waitMs),
      })
      const { client, time, requests } = run
      const call = () => client.list().page()
      const later = async (ms: number) => {
        await time.sleep(ms)
        return call()
      }
      const calls = [...Array.from({ length: 10 }, call), ...[7_000, 14_000, 21_000].map(later)]
      const ends = await time.run(Promise.allSettled(calls))
      const retries = events.filter(({ status }) => [0, 429, 502, 503].includes(status)).length
      assert.deepEqual(early, [])
      assert.ok(requests.length <= calls.length + retries)
      assert.ok(ends.every((end) => end.status === 'fulfilled' || end.reason instanceof Error))
      const all = [...waited.values()].reduce((sum, ms) => sum + ms, 0)
      assert.ok(all <= maxWaitMs * calls.length, `${all} ms`)
    }),
    { numRuns: 150, seed: 20_261_120 },
  )
})
