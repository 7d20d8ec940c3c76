import { findCauses, type JudgedRule } from '../causes/find.ts'
import type { Report, ReportExchange, RuleResult } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { Finding, Level, Rule, RuleProfile, Verdict } from '../rules/rule.ts'
import { findVariables, readExtraHeaders } from '../run/extra-headers.ts'
import type { JudgeOptions, RunOptions } from '../run/options.ts'
import { burns, creates, type Profile } from '../steps/profile.ts'
import { suite } from '../suite.ts'
import { mostShown, shorten } from '../transcript/bounds.ts'
import { additions } from '../transcript/creations.ts'
import { findKeyRejection } from '../transcript/responses.ts'
import { countRequests, type Exchange, type Transcript } from '../transcript/transcript.ts'
import { listCreated } from './created-animals.ts'
import { curl } from './curl.ts'
import { createEvidence } from './evidence.ts'
import { createNotes } from './notes.ts'
import { observe } from './observations.ts'
import { markKnown, readSelection } from './selection.ts'

/**
 * Judges a transcript by every rule. Sends nothing, and returns the same report for the same transcript and options.
 *
 * @param recorded A transcript that `record` or `readTranscript` returned.
 * @param options Which rules to judge, and by what clock and plan. With the `headers` of the run, `curl` lines take
 * their values from the environment; without them, they only show the names of the variables.
 * @throws {TypeError} An option names an unknown rule or has an invalid date.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { judge, readTranscript } from 'pet-adoption-service/conformance'
 *
 * const transcript = readTranscript(readFileSync('transcript.json', 'utf8'))
 * console.log(judge(transcript, { only: ['LIST-1', 'LIST-2'] }).summary)
 */
export function judge(
  recorded: Transcript,
  options: JudgeOptions & Pick<RunOptions, 'headers'> = {},
): Report {
  const { now, plan } = options
  const variables = findVariables(readExtraHeaders(options.headers))
  const isSelected = readSelection(options)
  const transcript: Transcript = {
    ...recorded,
    ...(now !== undefined && { now: now.toISOString() }),
    ...(plan !== undefined && { plan }),
  }
  const judged: JudgedRule[] = []
  const results = catalogue.map((rule): RuleResult => {
    const { judge: _, ...facts } = rule
    if (!isSelected(rule.id))
      return { ...facts, ...notSelected('filter', 'not selected by --only and --skip') }
    if (!covers(transcript.profile, rule.profile)) {
      return { ...facts, ...notSelected('profile', `requires the profile ${rule.profile}`) }
    }
    const finding = rule.judge(transcript)
    judged.push({ rule, finding })
    return { ...facts, ...result(rule, finding, transcript, variables) }
  })
  const rules = markKnown(results, options.knownFailures ?? [], Date.parse(transcript.now))
  const endedEarly = whyEnded(transcript)
  return {
    suite,
    target: { baseUrl: transcript.baseUrl },
    profile: transcript.profile,
    startedAt: transcript.startedAt,
    durationMs: transcript.durationMs,
    requests: countRequests(transcript),
    creates: additions(transcript).length,
    created: listCreated(transcript),
    ...(endedEarly !== undefined && { endedEarly }),
    summary: count(rules),
    rules,
    causes: findCauses(transcript, judged),
    observations: observe(transcript),
    notes: createNotes(transcript),
    exchanges: transcript.exchanges.map(shown),
  }
}

const verdicts: Readonly<Record<Finding['outcome'], (level: Level) => Verdict>> = {
  holds: () => 'pass',
  broken: (level) => (level === 'MUST' ? 'fail' : 'warn'),
  'no-evidence': () => 'inconclusive',
  'not-applicable': () => 'not-applicable',
  'not-run': () => 'not-run',
}

type JudgedFields = Omit<RuleResult, keyof Omit<Rule, 'judge'>>

function result(
  rule: Rule,
  finding: Finding,
  transcript: Transcript,
  variables: readonly string[],
): JudgedFields {
  const { outcome, at, exchanges, ...texts } = finding
  const isBroken = outcome === 'broken'
  const exchange = isBroken ? transcript.exchanges.find(({ id }) => id === exchanges[0]) : undefined
  const evidence = exchange && createEvidence(exchange, at)
  return {
    verdict: verdicts[outcome](rule.level),
    ...texts,
    ...(evidence !== undefined && { evidence }),
    exchanges,
    ...(exchange !== undefined && { curl: curl(transcript.baseUrl, exchange.request, variables) }),
  }
}

function notSelected(deselected: 'profile' | 'filter', reason: string): JudgedFields {
  return { verdict: 'not-run', reason, deselected, exchanges: [] }
}

function covers(profile: Profile, needed: RuleProfile): boolean {
  return needed === 'read' || (needed === 'create' ? creates(profile) : burns(profile))
}

/** Returns why the run could not be judged as a whole; `undefined` if it could. */
function whyEnded({ endedEarly, exchanges }: Transcript): string | undefined {
  const rejected = findKeyRejection(exchanges)
  if (endedEarly !== undefined || rejected === undefined) return endedEarly
  return `the key is rejected (${rejected}): give one that the deployment accepts`
}

function count(rules: readonly RuleResult[]): Report['summary'] {
  const summary = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, 'not-run': 0 }
  for (const { verdict } of rules) summary[verdict] += 1
  return summary
}

function shown({ id, request, times, outcome }: Exchange): ReportExchange {
  const sent = { id, request, ...(times !== undefined && { times }) }
  if (outcome.kind === 'error') return { ...sent, error: outcome.error }
  const { status, headers, body, ms } = outcome.response
  return { ...sent, response: { status, headers, body: shorten(body, mostShown), ms } }
}
