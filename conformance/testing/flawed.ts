import { judge } from '../judge/judge.ts'
import { pretty } from '../report/pretty.ts'
import { animals, each, headers, json, keyedIds, otherIds, recorded } from './recorded.ts'

const noLimits = Object.fromEntries(
  ['limit', 'remaining', 'reset'].map((name) => [`x-ratelimit-${name}`, undefined]),
)
const relative = { headers: headers({ 'x-ratelimit-reset': '60' }) }
const withoutKey = otherIds.filter((id) => id !== 'key-other-case')
const page = animals
  .slice(0, 20)
  .map((animal) => (animal.id === 4 ? { ...animal, categoryId: null } : animal))

/** The terminal report of a deployment with three faults, which the manual shows in part. */
export function flawedReport(): string {
  const transcript = recorded('read', {
    ...each(keyedIds, relative),
    ...each(withoutKey, { headers: headers({ ...noLimits, 'www-authenticate': 'Bearer' }) }),
    list: { ...json(200, page), ...relative },
  })
  return pretty(judge(transcript), { color: false, columns: 100 })
}
