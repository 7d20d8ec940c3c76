import { readLimitNumbers } from '../transcript/rate-limits.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import { isOutside, isSuccess, listResponsesTo, responses } from '../transcript/responses.ts'
import { readOperation, type Transcript } from '../transcript/transcript.ts'

/** Returns the limits that the headers of responses to the key show, each with the plans that have it. */
export function findLimits(transcript: Transcript): string | undefined {
  const seen = listResponsesTo(transcript, 'key').flatMap(
    (recorded) => readLimitNumbers(recorded).limit ?? [],
  )
  return (
    [...new Set(seen)]
      .map((limit) => `${limit} (${findPlans(limit).join(', ') || 'of no plan'})`)
      .join('; ') || undefined
  )
}

function findPlans(limit: number): readonly string[] {
  return Object.entries(ratePlans).flatMap(([plan, [minute, day]]) => [
    ...(limit === minute ? [`${plan} per minute`] : []),
    ...(limit === day ? [`${plan} per day`] : []),
  ])
}

/** Returns which operations had less remaining than the response to the key before them, and which never had. */
export function describeLowering(transcript: Transcript): string | undefined {
  const all = listResponsesTo(transcript, 'key')
  const lowers = new Map<string, boolean>()
  for (const [n, recorded] of all.entries()) {
    const before = all[n - 1]
    if (before === undefined || !isSuccess(recorded.response.status) || isOutside(recorded.id)) continue
    const [then, now] = [readLimitNumbers(before), readLimitNumbers(recorded)]
    if (then.remaining === undefined || now.remaining === undefined || then.limit !== now.limit) continue
    const operation = readOperation(recorded.exchange)
    lowers.set(operation, lowers.get(operation) === true || now.remaining < then.remaining)
  }
  if (lowers.size === 0) return undefined
  const named = (does: boolean): string =>
    [...lowers.keys()].filter((operation) => lowers.get(operation) === does).join(', ')
  const others = named(false)
  return `${named(true) || 'none'}${others && `; not ${others}`}`
}

/** Compares what remained of the key before and after the burn of the throttle key. */
export function describeSharing(transcript: Transcript): string | undefined {
  const all = responses(transcript)
  const start = all.findIndex(({ id }) => id === 'burn-1')
  const after = all.find(({ id }) => id === 'list-after-burn')
  const before = all.slice(0, Math.max(0, start)).findLast(({ exchange }) => exchange.credential === 'key')
  const burnt = all.filter(({ id, response }) => id.startsWith('burn-') && isSuccess(response.status)).length
  if (before === undefined || after === undefined || burnt < 3) return undefined
  if (after.response.status === 429) return 'shared: after the burn, the first key returns 429 too'
  const [then, now] = [readLimitNumbers(before), readLimitNumbers(after)]
  if (then.remaining === undefined || now.remaining === undefined || then.limit !== now.limit)
    return undefined
  if (now.remaining > then.remaining) return undefined
  const fall = then.remaining - now.remaining
  const numbers = `${then.remaining} remained of the first key before the burn, ${now.remaining} after ${burnt} requests`
  return fall <= burnt / 2 ? `not shared: ${numbers}` : `shared: ${numbers}`
}
