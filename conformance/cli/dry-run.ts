import type { Credential, Plan, PlannedExchange, Rule } from '../index.ts'
import { plural, printable, printableJson } from '../transcript/printable.ts'
import { ratePlans } from '../transcript/rate-plans.ts'

/** The credential of a request, in words. */
export const carried: Readonly<Record<Credential, string>> = {
  key: 'the key',
  'key-other-case': 'the key, as bEaReR',
  'throttle-key': 'the throttle key',
  'throttle-key-in-query': 'the throttle key, in the query',
  'throttle-key-in-header': 'the throttle key, as X-API-Key',
  'throttle-key-longer': 'the throttle key and one character',
  'throttle-key-shorter': 'the throttle key without a character',
  'throttle-key-swapped-case': 'the throttle key, in the other case',
  'unknown-key': 'an unknown key',
  'other-scheme': 'the key, as the user of Basic',
  'empty-token': 'an empty token',
  none: 'no key',
}

function line({ method, target, credential, body, times, when }: PlannedExchange, index: number): string {
  const notes = [times > 1 && `up to ${times} times`, when].filter(Boolean)
  const request = `${method.padEnd(4)} ${printable(target)}`.padEnd(40)
  const first = `${String(index + 1).padStart(4)}  ${request}  ${[carried[credential], ...notes].join(', ')}`
  return body === undefined ? first : `${first}\n${' '.repeat(11)}${printable(body)}`
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

/** Describes the cost of a plan: requests by key, their share of a Free key's limits (section 8), animals. */
export function cost(plan: Plan): readonly string[] {
  const { requests, repeats, keyed, throttled, shareOfFree, creations, longestWait, pace } = plan
  const { minute, day } = shareOfFree
  const [freeMinute, freeDay] = ratePlans.free
  return [
    `At most ${plural(requests, 'request')}, ${keyed} of them with the key: ${percent(minute)} of a Free key's minute (${freeMinute}) and ${percent(day)} of its day (${freeDay.toLocaleString('en')}).`,
    ...(throttled > 0 ? [`At most ${throttled} with the throttle key, which is driven to its limit.`] : []),
    ...(repeats > 0
      ? [`Up to ${repeats} more GETs may repeat one whose connection closed or whose response is a surprise.`]
      : []),
    `It waits while the limit of the key is used up, and once for a 429: ${longestWait / 1000} s in all at the most.`,
    ...(pace === undefined
      ? []
      : [`At ${pace} requests a second, that takes up to ${Math.ceil(requests / pace)} s.`]),
    creations.most === 0
      ? 'No animal can be created: only GET is sent.'
      : `At most ${plural(creations.most, 'animal')} could be created: ${creations.validBodies} bodies are valid, and after ${creations.most - creations.validBodies} invalid ones are accepted no more are sent.`,
  ]
}

/** The text of `--dry-run`: the requests of a run, and their cost. */
export function dryRun(baseUrl: string, plan: Plan): string {
  return [
    `Profile ${plan.profile} would send to ${printable(baseUrl)}, one at a time:`,
    '',
    ...plan.exchanges.map(line),
    '',
    ...cost(plan),
    'Nothing was sent.',
    '',
  ].join('\n')
}

/** The text of `--list`, one line for each rule: id, level, section, profile, title. */
export function ruleList(rules: readonly Rule[]): string {
  const row = ({ id, level, section, profile, title }: Rule): string =>
    `${id.padEnd(9)}  ${level.padEnd(6)}  ${section.padEnd(4)}  ${profile.padEnd(7)}  ${title}\n`
  return rules.map(row).join('')
}

/** The text of `--list --format json`: an array of the rules, each with `id`, `level`, `section`, `statement`, `title` and `profile`. */
export function ruleListJson(rules: readonly Rule[]): string {
  return `${printableJson(rules.map(({ judge: _, ...facts }) => facts))}\n`
}
