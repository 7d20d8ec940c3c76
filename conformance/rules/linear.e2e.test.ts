import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../judge/judge.ts'
import { buildTranscript, keyStepIds, otherStepIds, scriptEach, scriptError } from '../testing/recorded.ts'
import type { Transcript } from '../transcript/transcript.ts'

/** Measures the CPU time for judging, in milliseconds. */
function timeToJudge(transcript: Transcript): number {
  const startMicroseconds = process.cpuUsage().user
  judge(transcript)
  return (process.cpuUsage().user - startMicroseconds) / 1000
}

/** Asserts that four times the exchanges take less than ten times as long. */
function assertLinear(createTranscript: (count: number) => Transcript): void {
  const measureMinimum = (count: number): number =>
    Math.min(...[1, 2, 3].map(() => timeToJudge(createTranscript(count))))
  measureMinimum(500)
  assert.ok(measureMinimum(4_000) < 10 * Math.max(10, measureMinimum(1_000)))
}

function repeatExchanges(ids: readonly string[], count: number): Transcript {
  const transcript = buildTranscript('all')
  const repeatedExchanges = transcript.exchanges.filter(({ id }) => ids.includes(id))
  const copies = Array.from({ length: count }, (_, n) =>
    repeatedExchanges.map((exchange) => ({
      ...exchange,
      id: n === 0 ? `${exchange.id}-again` : exchange.id,
    })),
  )
  return { ...transcript, exchanges: [...transcript.exchanges, ...copies.flat().slice(0, count)] }
}

for (const [what, ...ids] of [
  ['filtered pages', 'list-sold-100'],
  ['creations', 'create-available'],
  ['creations and pages in turn', 'create-available', 'list-sold-100', 'list-100', 'get-created'],
  ['rejected creations', 'refuse-no-name', 'list'],
] as const) {
  test(`judges repeated ${what} in linear time`, () => assertLinear((count) => repeatExchanges(ids, count)))
}

test('judges long URLs with many slashes in linear time', () =>
  assertLinear((count) => {
    const slashes = '/'.repeat(20 * count)
    const baseUrl = `https://pets.test/${slashes}x`
    const transcript = buildTranscript(
      'read',
      scriptEach([...keyStepIds, ...otherStepIds], scriptError(404)),
      {
        target: { baseUrl },
      },
    )
    const exchanges = transcript.exchanges.map((exchange) => {
      const target = `/${'x'.repeat(20 * count)}?`
      return { ...exchange, request: { ...exchange.request, target } }
    })
    return { ...transcript, exchanges }
  }))
