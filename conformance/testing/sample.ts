import type { Report, ReportExchange, RuleResult } from '../report/report.ts'
import type { Verdict } from '../rules/rule.ts'

const base = 'https://staging.example.org/v1'

/**
 * A rule of the profile read: its id, level, section, statement and verdict; its title, its reason, and what else is
 * known.
 */
function ruleOf(facts: string, title: string, reason: string, more: Partial<RuleResult> = {}): RuleResult {
  const [id = '', level, section = '', statement = '', verdict] = facts.split(' ')
  // the texts below have these
  const named = { level: level as RuleResult['level'], verdict: verdict as Verdict }
  return { id, section, statement, title, profile: 'read', reason, exchanges: [], ...named, ...more }
}

const notSelected = { profile: 'create', deselected: 'profile' } as const
const whyNot = 'profile create was not selected'
const curl = 'curl -i -H "Authorization: Bearer $PET_ADOPTION_API_KEY"'

/** A rule of each verdict, a known failure that fails, and one that no longer does. */
const rules: readonly RuleResult[] = [
  ruleOf(
    'VER-1 MUST 9 s9-version pass',
    'the path of the base URL ends in /v1',
    'listPets was found under /v1',
    { exchanges: ['list'] },
  ),
  ruleOf(
    'LIST-10 MUST 4.1 s4-1-limit-maximum fail',
    '`limit=101` never yields more than 100 animals',
    'a page has 101 animals',
    {
      expected: 'at most 100 animals, or a 4xx',
      got: '200 with 101 animals',
      evidence: {
        exchange: 'limit-101',
        status: 200,
        contentType: 'application/json; charset=utf-8',
        at: '$[100] in the body',
        body: { before: '…{"id":100},', marked: '{"id":101}', after: ']' },
      },
      exchanges: ['limit-101', 'list'],
      curl: `${curl} '${base}/pets?limit=101'`,
    },
  ),
  ruleOf(
    'LIST-4 MUST 4.1 s2-required-fields fail',
    'every element has the required fields of Pet',
    'animal 7 has no categoryId',
    {
      expected: 'an integer categoryId',
      got: 'none',
      known: 'old rows, migrated in May',
      exchanges: ['list'],
      curl: `${curl} '${base}/pets'`,
    },
  ),
  ruleOf('LIST-1 MUST 4.1 s4-1-list pass', '`GET /pets` with a key: 200', '200', {
    known: 'was down in April',
    exchanges: ['list'],
  }),
  ruleOf(
    'LIST-12 MUST 4.1 s3-filter inconclusive',
    '`status=available` yields no animal of another status',
    'the list is empty',
    { exchanges: ['available'] },
  ),
  ruleOf(
    'AUTH-10 HTTP 5 s5-challenge warn',
    'a 401 carries `WWW-Authenticate: Bearer`',
    'the header is missing',
    {
      expected: 'WWW-Authenticate: Bearer',
      got: 'no such header',
      evidence: {
        exchange: 'no-key',
        status: 401,
        at: 'the header www-authenticate',
        header: { before: 'www-authenticate: ', marked: 'Basic', after: '' },
        body: { before: '', marked: '', after: '{"code":"missing_api_key"}' },
      },
      exchanges: ['no-key'],
      curl: `curl -i '${base}/pets'`,
    },
  ),
  ruleOf(
    'GET-7 SHOULD 4.3 s9-removed not-applicable',
    'from 7 December 2030 getPet is not there',
    'before the removal date',
  ),
  ruleOf('CREATE-1 MUST 4.2 s4-2-created not-run', 'a valid body: 201', whyNot, notSelected),
  ruleOf('CREATE-2 MUST 4.2 s4-2-pet not-run', 'the response is a Pet with an `id`', whyNot, notSelected),
]

const exchanges: readonly ReportExchange[] = [
  {
    id: 'list',
    request: { method: 'GET', target: '/pets', headers: [['authorization', 'Bearer [key]']] },
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: '[\n{"id":7}]',
      ms: 12.5,
    },
  },
  {
    id: 'limit-101',
    request: { method: 'GET', target: '/pets?limit=101', headers: [['authorization', 'Bearer [key]']] },
    response: { status: 200, headers: [['x-ratelimit-limit', '60']], body: '[]', ms: 9 },
  },
  {
    id: 'available',
    request: { method: 'POST', target: '/pets', headers: [], body: '{"name":"Rex","categoryId":1}' },
    error: 'no response within 10000 ms',
  },
  {
    id: 'no-key',
    request: { method: 'GET', target: '/pets', headers: [] },
    response: { status: 401, headers: [], body: '{"code":"missing_api_key"}', ms: 3 },
  },
]

function summary(results: readonly RuleResult[]): Record<Verdict, number> {
  const counts = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, 'not-run': 0 }
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

/** A report with every verdict, a known failure, one that no longer fails, a failed exchange and an early end. */
export const sample: Report = {
  suite: { name: 'pet-adoption-conformance', version: '1.0.0', interface: '1.0.0' },
  target: { baseUrl: base },
  profile: 'read',
  startedAt: '2026-11-20T22:50:00.000Z',
  durationMs: 812,
  requests: 4,
  creates: 1,
  created: [{ id: '9007199254740993', name: 'Rex of run kqzv' }],
  endedEarly: 'ended by a 429; wait 30 s and run it again',
  summary: summary(rules),
  rules,
  notes: [],
  causes: [
    {
      id: 'limit-ignored',
      title: 'The parameter limit is ignored: limit=101 returns 101 animals',
      advice: 'return at most so many animals as limit asks for',
      rules: ['LIST-10', 'LIST-12'],
      exchanges: ['limit-101', 'available'],
    },
  ],
  observations: [
    { gap: 'default status', section: '2', statement: 's2-open-default-status', observed: 'available' },
    { gap: 'order of a page', section: '4.1', statement: 's4-1-open-order', observed: 'ascending id' },
  ],
  exchanges,
}

/** The sample with other rules and their summary. */
export function sampleWith(results: readonly RuleResult[], changes: Partial<Report> = {}): Report {
  const { endedEarly: _, ...whole } = sample
  const ids = new Set(results.map(({ id }) => id))
  const causes = whole.causes.filter((cause) => cause.rules.some((id) => ids.has(id)))
  return { ...whole, rules: results, causes, summary: summary(results), ...changes }
}

/** The rule of the sample with that id. */
export function sampleRule(id: string): RuleResult {
  const found = rules.find((rule) => rule.id === id)
  if (found === undefined) throw new Error(`the sample has no rule ${id}`)
  return found
}

/** Members that neither a deployment nor the author of a transcript determines. */
const ours = [
  'suite',
  'id',
  'level',
  'section',
  'statement',
  'title',
  'profile',
  'verdict',
  'deselected',
  'rules',
]

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
    ...(filled({ ...sample, rules: [], target: { baseUrl: '' } }) as Report), // every member has its type still
    profile: sample.profile,
    target: { baseUrl: base + text },
    created: [{ id: text, name: text }],
    rules: rules.map((rule) => filled({ ...rule, exchanges: [...rule.exchanges, 'x'] }) as RuleResult),
    observations: [{ gap: text, section: text, statement: text, observed: text }],
    exchanges: sample.exchanges.map((exchange) => ({ ...(filled(exchange) as ReportExchange), id: text })),
  }
}
