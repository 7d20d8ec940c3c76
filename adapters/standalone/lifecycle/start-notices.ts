import { type Operation, operations } from '../../../core/index.ts'
import type { Notice } from '../log/log-format.ts'

/** Announces the base address, after the address of the documentation page where there is one. */
export function listeningNotice(url: string, docs: string | false): Notice {
  return {
    level: 'info',
    event: 'listening',
    text: `${docs ? `documentation at ${docs}\n` : ''}listening on ${url}`,
    fields: { url, ...(docs && { docs }) },
  }
}

/** Shows a key that was made at the start, with a command line that works unchanged in sh and in cmd. */
export function keyNotice(key: string, reachableAddress: string): Notice {
  const curl = `curl -H "Authorization: Bearer ${key}" "${reachableAddress}/pets"`
  const text = `No keys were given: here is one that works until the server stops.

  ${key}

This line lists the animals; append  --json '{"name":"Ada","categoryId":1}'  to add one:

  ${curl}
`
  return { level: 'info', event: 'key', text, fields: { key, curl } }
}

const dayMs = 86_400_000
const warningDays = 90

/** Returns a warning for each operation that is removed at `now` (ms since the epoch) or within 90 days. */
export function removalWarnings(now: number, among: readonly Operation[] = operations): readonly string[] {
  return among.flatMap(({ id, deprecated }) => {
    if (!deprecated) return []
    const days = Math.ceil((deprecated.removal - now) / dayMs)
    if (days > warningDays) return []
    const date = new Date(deprecated.removal).toISOString().slice(0, 10)
    const instead = `callers must use ${deprecated.successor} instead`
    if (days > 0) return [`${id} returns 410 from ${date} on, which is in ${days} days: ${instead}`]
    return [`${id} was removed on ${date} and returns 410: ${instead}`]
  })
}
