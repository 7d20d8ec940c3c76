import { judge } from '../judge/judge.ts'
import type { Report, ReportExchange, RuleResult } from '../report/report.ts'
import { animals, each, headers, json, keyedIds, recorded } from './recorded.ts'

const relative = { headers: headers({ 'x-ratelimit-reset': '60' }) }
const page = animals.slice(0, 20).map((pet) => (pet.id === 4 ? { ...pet, categoryId: null } : pet))

/** Seconds to go for a time, an animal without a category, an empty list, and another challenge than Bearer. */
const judged = judge(
  recorded(
    'create',
    {
      ...each(keyedIds, relative),
      list: { ...json(200, page), ...relative },
      'list-pending': { error: 'no response within 10000 ms' },
      ...each(['list-sold', 'list-sold-100'], json(200, [])),
      'no-key-list': { headers: headers({ 'www-authenticate': 'Basic' }) },
    },
    { endedEarly: 'ended by a 429; wait 30 s and run it again' },
  ),
  {
    knownFailures: [
      { rule: 'LIST-4', reason: 'old rows, migrated in May' },
      { rule: 'LIST-1', reason: 'was down in April' },
    ],
  },
)

/** Rules of the sample: one of each verdict, and of several sections. */
const ids = ['VER-1', 'RATE-6', 'LIST-4', 'LIST-1', 'LIST-14', 'AUTH-10', 'GET-7', 'AUTH-12', 'AUTH-15']

/** The rule of the sample with that id. */
export function sampleRule(id: string): RuleResult {
  const found = judged.rules.find((rule) => rule.id === id)
  if (found === undefined) throw new Error(`the sample has no rule ${id}`)
  return found
}

/** The sample with other rules and their summary, of a run that did not end early. */
export function sampleWith(rules: readonly RuleResult[], changes: Partial<Report> = {}): Report {
  const { endedEarly: _, ...whole } = judged
  const summary = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, 'not-run': 0 }
  for (const { verdict } of rules) summary[verdict] += 1
  // the cause explains a rule that could not be judged, too
  const causes = judged.causes
    .map((cause) => ({ ...cause, rules: ['RATE-6', 'LIST-14'] }))
    .filter((cause) => rules.some(({ id }) => cause.rules.includes(id)))
  return { ...whole, rules, causes, summary, ...changes }
}

const { endedEarly = '' } = judged

/** A report with every verdict, a known failure, one that no longer fails, a failed exchange and an early end. */
export const sample: Report = sampleWith(ids.map(sampleRule), { endedEarly })

/** Members that neither a deployment nor the author of a transcript determines. */
const ours = 'suite profile id level section statement title verdict deselected rules'.split(' ')

/** The sample with `text` in every place that a deployment or the author of a transcript controls. */
export function sampleHolding(text: string): Report {
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') return text
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, ours.includes(name) ? member : filled(member)]),
    )
  }
  return {
    ...(filled(sample) as Report), // every member has its type still
    rules: sample.rules.map((rule) => filled({ ...rule, exchanges: [...rule.exchanges, 'x'] }) as RuleResult),
    target: { baseUrl: sample.target.baseUrl + text },
    created: [{ id: text, name: text }],
    observations: [{ gap: text, section: text, statement: text, observed: text }],
    exchanges: sample.exchanges.map((exchange) => ({ ...(filled(exchange) as ReportExchange), id: text })),
  }
}
