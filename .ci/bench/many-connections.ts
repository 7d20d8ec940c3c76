import type { Figure } from './figures.ts'
import { autocannon, saturate, sendAtConstantRate } from './load.ts'
import { defaultLoad, rateOf, rounds } from './ratio.ts'
import { spread } from './results.ts'
import { scenarios } from './scenarios.ts'
import { startNode } from './server.ts'

const connections = 2_000

/**
 * Measures failures, rate and memory with 2,000 connections. The memory that the connections require is allocated early;
 * memory that still grows later is a leak.
 */
export async function* manyConnections(): AsyncGenerator<Figure> {
  const server = await startNode('sides/ours.ts')
  try {
    const phases = []
    for (const seconds of [10, 10, 20])
      phases.push({
        ...(await autocannon(server.origin, scenarios.getPet, { seconds, connections })),
        memory: server.memory(),
      })
    const failures = phases.reduce((sum, phase) => sum + phase.failures, 0)
    const [, early, late] = phases
    yield {
      title: '2,000 connections: failed requests',
      value: failures,
      unit: '',
      target: { atMost: 0 },
    }
    if (late)
      yield { title: '2,000 connections: rate', value: Math.round(late.requests / late.seconds), unit: '/s' }
    if (!early?.memory || !late?.memory) return
    const megabytes = Math.round(late.memory / 2 ** 20)
    yield { title: '2,000 connections: memory', value: megabytes, unit: 'MB', target: { atMost: 500 } }
    const title = '2,000 connections: memory after 40 s against 20 s'
    yield { title, value: late.memory / early.memory, unit: '', target: { atMost: 1.25 } }
  } finally {
    await server.stop()
  }
}

/** Measures the latency at half of the highest rate of ours. */
export async function* latencyAtHalfLoad(): AsyncGenerator<Figure> {
  const ours = await startNode('sides/ours.ts')
  const bare = await startNode('sides/bare.ts')
  try {
    const rate = Math.round(
      rateOf(await saturate(ours.origin, [scenarios.getPet], { ...defaultLoad, seconds: 5 })) / 2,
    )
    const p99s = new Map([ours, bare].map((server) => [server, [] as number[]]))
    for (let round = 0; round <= rounds; round++) {
      for (const [server, values] of p99s) {
        const load = await sendAtConstantRate(server.origin, scenarios.getPet, { ...defaultLoad, rate })
        rateOf(load) // throws if a request failed
        if (round > 0) values.push(load.p99)
      }
    }
    const [oursP99s, bareP99s] = [p99s.get(ours) ?? [], p99s.get(bare) ?? []]
    yield {
      title: 'p99 at half of the load against bare node:http',
      value: spread(oursP99s.map((p99, i) => p99 / (bareP99s[i] ?? 0))).median,
      unit: '',
      target: { atMost: 3 },
      note: `${spread(oursP99s).median.toFixed(2)} ms against ${spread(bareP99s).median.toFixed(2)} ms, at ${rate}/s`,
    }
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
  }
}
