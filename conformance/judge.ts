import { mostShown, shorten } from './bounds.ts'
import { curl } from './curl.ts'
import { observe } from './observations.ts'
import { burns, creates, type JudgeOptions } from './options.ts'
import type { Report, ReportExchange, RuleResult } from './report/report.ts'
import { catalogue } from './rules/catalogue.ts'
import type { Finding, Level, Rule, RuleProfile, Verdict } from './rules/rule.ts'
import { readSelection, type Selection } from './selection.ts'
import { suite } from './suite.ts'
import { creations, nameSent } from './transcript/creations.ts'
import { keyRejection } from './transcript/responses.ts'
import type { Exchange, Profile, Transcript } from './transcript/transcript.ts'

/**
 * Judges a transcript by every rule. Sends nothing, and returns the same report for the same transcript and options.
 *
 * @param recorded A transcript that `record` or `readTranscript` returned.
 * @param options Which rules to judge, and by what clock and plan.
 * @throws {TypeError} An option names an unknown rule or has an invalid date.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { judge, readTranscript } from 'pet-adoption-service/conformance'
 *
 * const transcript = readTranscript(readFileSync('transcript.json', 'utf8'))
 * console.log(judge(transcript, { only: ['LIST-1', 'LIST-2'] }).summary)
 */
export function judge(recorded: Transcript, options: JudgeOptions = {}): Report {
  const { now, plan } = options
  const selection = readSelection(options)
  const transcript: Transcript = {
    ...recorded,
    ...(now !== undefined && { now: now.toISOString() }),
    ...(plan !== undefined && { plan }),
  }
  const rules = catalogue.map((rule): RuleResult => {
    const { judge: _, ...facts } = rule
    if (!selection.includes(rule.id))
      return { ...facts, ...notSelected('filter', 'not selected by --only and --skip') }
    if (!covers(transcript.profile, rule.profile)) {
      return { ...facts, ...notSelected('profile', `requires the profile ${rule.profile}`) }
    }
    return { ...facts, ...result(rule, transcript, selection) }
  })
  const animals = created(transcript)
  const endedEarly = whyEnded(transcript)
  return {
    suite,
    target: { baseUrl: transcript.baseUrl },
    profile: transcript.profile,
    startedAt: transcript.startedAt,
    durationMs: transcript.durationMs,
    requests: transcript.exchanges.length,
    creates: animals.length,
    created: animals,
    ...(endedEarly !== undefined && { endedEarly }),
    summary: count(rules),
    rules,
    observations: observe(transcript),
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

type Judged = Omit<RuleResult, keyof Omit<Rule, 'judge'>>

function result(rule: Rule, transcript: Transcript, selection: Selection): Judged {
  const { outcome, reason, expected, got, exchanges } = rule.judge(transcript)
  const known = selection.knownFailure(rule.id, Date.parse(transcript.now))
  const evidence = transcript.exchanges.find(({ id }) => id === exchanges[0])
  return {
    verdict: verdicts[outcome](rule.level),
    reason,
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got }),
    ...(known !== undefined && { known }),
    exchanges,
    ...(outcome === 'broken' &&
      evidence !== undefined && { curl: curl(transcript.baseUrl, evidence.request) }),
  }
}

function notSelected(deselected: 'profile' | 'filter', reason: string): Judged {
  return { verdict: 'not-run', reason, deselected, exchanges: [] }
}

function covers(profile: Profile, needed: RuleProfile): boolean {
  return needed === 'read' || (needed === 'create' ? creates(profile) : burns(profile))
}

/** Returns why the run could not be judged as a whole; `undefined` if it could. */
function whyEnded({ endedEarly, exchanges }: Transcript): string | undefined {
  const rejected = keyRejection(exchanges)
  if (endedEarly !== undefined || rejected === undefined) return endedEarly
  return `the key is rejected (${rejected}): give one that the deployment accepts`
}

/** The animals that the run created, also those whose responses cannot be read. */
function created(transcript: Transcript): Report['created'] {
  return creations(transcript).map(({ exchange, pet }) => ({
    id: pet?.id.toString() ?? 'unknown',
    name: shorten(pet?.name ?? nameSent(exchange) ?? 'none'),
  }))
}

function count(rules: readonly RuleResult[]): Report['summary'] {
  const summary = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, 'not-run': 0 }
  for (const { verdict } of rules) summary[verdict] += 1
  return summary
}

function shown({ id, request, outcome }: Exchange): ReportExchange {
  if (outcome.kind === 'error') return { id, request, error: outcome.error }
  const { status, headers, body, ms } = outcome.response
  return { id, request, response: { status, headers, body: shorten(body, mostShown), ms } }
}
