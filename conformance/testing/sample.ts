import { judge } from '../judge/judge.ts'
import type { Report, RuleResult } from '../report/report.ts'
import type { Exchange } from '../transcript/transcript.ts'
import { animals, buildTranscript, createHeaders, keyStepIds, scriptEach, scriptJson } from './recorded.ts'

const relativeReset = { headers: createHeaders({ 'x-ratelimit-reset': '60' }) }
const pageWithInvalidPet = animals
  .slice(0, 20)
  .map((pet) => (pet.id === 4 ? { ...pet, categoryId: null } : pet))

/** A report with every verdict, a known failure, a cause and an early end. */
const judgedReport = judge(
  buildTranscript(
    'create',
    {
      ...scriptEach(keyStepIds, relativeReset),
      list: { ...scriptJson(200, pageWithInvalidPet), ...relativeReset },
      'list-pending': { error: 'no response within 10000 ms' },
      ...scriptEach(['list-sold', 'list-sold-100'], scriptJson(200, [])),
      'no-key-list': { headers: createHeaders({ 'www-authenticate': 'Basic' }) },
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

const sampleRuleIds = [
  'VER-1',
  'RATE-6',
  'LIST-4',
  'LIST-1',
  'LIST-14',
  'AUTH-10',
  'GET-7',
  'AUTH-12',
  'AUTH-15',
]

export function getSampleRule(id: string): RuleResult {
  const foundRule = judgedReport.rules.find((rule) => rule.id === id)
  if (foundRule === undefined) throw new Error(`the sample has no rule ${id}`)
  return foundRule
}

/** Creates a report with some rules and a matching summary. */
export function createSample(rules: readonly RuleResult[], changes: Partial<Report> = {}): Report {
  const { endedEarly: _, ...whole } = judgedReport
  const summary = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, 'not-run': 0 }
  for (const { verdict } of rules) summary[verdict] += 1
  // The cause explains only rules that the sample contains.
  const causes = judgedReport.causes
    .map((cause) => ({ ...cause, rules: ['RATE-6', 'LIST-14'] }))
    .filter((cause) => rules.some(({ id }) => cause.rules.includes(id)))
  return { ...whole, rules, causes, summary, ...changes }
}

const { endedEarly = '' } = judgedReport

/** A report with every verdict. */
export const sample: Report = createSample(sampleRuleIds.map(getSampleRule), { endedEarly })

/** Members whose values come from the suite and not from the deployment. */
const suiteMembers = 'suite profile id level section statement title verdict deselected rules'.split(' ')

/** Creates a report in which every value from the deployment is `text`. */
export function createSampleWithText(text: string): Report {
  const fillWithText = (value: unknown): unknown => {
    if (typeof value === 'string') return text
    if (Array.isArray(value)) return value.map(fillWithText)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        suiteMembers.includes(name) ? member : fillWithText(member),
      ]),
    )
  }
  return {
    ...(fillWithText(sample) as Report), // every member keeps its type
    rules: sample.rules.map(
      (rule) => fillWithText({ ...rule, exchanges: [...rule.exchanges, 'x'] }) as RuleResult,
    ),
    target: { baseUrl: sample.target.baseUrl + text },
    created: [{ id: text, name: text }],
    observations: [{ gap: text, section: text, statement: text, observed: text }],
    exchanges: sample.exchanges.map((exchange) => ({ ...(fillWithText(exchange) as Exchange), id: text })),
  }
}
