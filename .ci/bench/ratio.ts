import type { Figure } from './figures.ts'
import { type Load, type Request, saturate } from './load.ts'
import { spread } from './results.ts'
import type { Server } from './server.ts'

/** The number of rounds of a comparison, without the warm-up round. */
export const rounds = 7

/** The load of a comparison. */
export const defaultLoad = { seconds: 2, connections: 64 } as const

type Side = readonly [Server, readonly Request[]]

/**
 * Measures the rate of `one` divided by the rate of `other`. The sides change their order every round. The first round only
 * warms up.
 */
export async function ratioOfRates(
  { title, atLeast }: { readonly title: string; readonly atLeast: number },
  one: Side,
  other: Side,
): Promise<Figure> {
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const rates = new Map<Side, number>()
    for (const side of round % 2 === 0 ? [one, other] : [other, one]) {
      const [server, requests] = side
      rates.set(side, rateOf(await saturate(server.origin, requests, defaultLoad)))
    }
    if (round > 0) ratios.push((rates.get(one) ?? 0) / (rates.get(other) ?? 0))
  }
  const { median, min, max } = spread(ratios)
  return { title, value: median, unit: '', target: { atLeast }, note: `${min.toFixed(2)}..${max.toFixed(2)}` }
}

/**
 * Returns the requests a second.
 *
 * @throws Error if a request failed.
 */
export function rateOf({ requests, seconds, failures }: Load): number {
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`)
  return requests / seconds
}
