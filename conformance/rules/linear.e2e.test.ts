import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../judge/judge.ts'
import { recorded } from '../testing/recorded.ts'

/** Returns the CPU time, in ms, of judging a run with some exchanges repeated up to a number. */
function timeToJudge(ids: readonly string[], count: number): number {
  const run = recorded('all')
  const repeated = run.exchanges.filter(({ id }) => ids.includes(id))
  const more = Array.from({ length: count }, (_, n) =>
    repeated.map((exchange) => ({ ...exchange, id: n === 0 ? `${exchange.id}-again` : exchange.id })),
  )
  const transcript = { ...run, exchanges: [...run.exchanges, ...more.flat().slice(0, count)] }
  const start = process.cpuUsage().user
  judge(transcript)
  return (process.cpuUsage().user - start) / 1000
}

for (const [what, ...ids] of [
  ['pages of a status', 'list-sold-100'],
  ['creations', 'create-available'],
  ['creations and pages in turn', 'create-available', 'list-sold-100', 'list-100', 'get-created'],
  ['rejected creations', 'refuse-no-name', 'list'],
] as const) {
  test(`4 times the ${what} take less than 10 times the time to judge`, () => {
    const least = (count: number): number => Math.min(...[1, 2, 3].map(() => timeToJudge(ids, count)))
    least(500)
    assert.ok(least(4_000) < 10 * Math.max(10, least(1_000)))
  })
}
