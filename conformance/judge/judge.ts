import { findCauses, type JudgedRule } from '../causes/find.ts'
import type { Report, RuleResult } from '../report/report.ts'
import { catalogue } from '../rules/catalogue.ts'
import type { Finding, Level, Rule, RuleProfile, Verdict } from '../rules/rule.ts'
import { findVariables, readExtraHeaders } from '../run/extra-headers.ts'
import type { JudgeOptions, RunOptions } from '../run/options.ts'
import { createsAnimals, exhaustsLimit, type Profile } from '../steps/profile.ts'
import { suite } from '../suite.ts'
import { listCreatingResponses } from '../transcript/creations.ts'
import { findGroup, findGroups } from '../transcript/groups.ts'
import { countRequests, type Transcript } from '../transcript/transcript.ts'
import { listCreatedAnimals } from './created-animals.ts'
import { detectShell, formatCurl } from './curl.ts'
import { createEvidence } from './evidence.ts'
import { createNotes } from './notes.ts'
import { observe } from './observations.ts'
import { markKnownFailures, readSelection } from './selection.ts'

/**
 * Judges a recorded run by every rule, without sending any request. The same transcript and options always give the
 * same report.
 *
 * @param recorded The transcript of a run, from {@link record}, or a report, from {@link readReport}.
 * @param options The rules to judge, the time and the rate plan. If `headers` has the run's headers, the `curl`
 * commands take the values from the environment. Otherwise they only show the variables' names.
 * @throws {TypeError} if an option names an unknown rule, or has an invalid date.
 *
 * @example
 * import { writeFileSync } from 'node:fs'
 * import { judge, record } from 'pet-adoption-service/conformance'
 *
 * const transcript = await record({ baseUrl: 'https://api.example.com/v1', apiKey: 'key-of-a-test-account' })
 * const report = judge(transcript, { only: ['LIST-1', 'LIST-2'] })
 * writeFileSync('report.json', JSON.stringify(report))
 *
 */
export function judge(
  recorded: Transcript,
  options: JudgeOptions & Pick<RunOptions, 'headers'> = {},
): Report {
  const { now, plan } = options
  const headerVariables = findVariables(readExtraHeaders(options.headers))
  const isSelected = readSelection(options)
  const transcript: Transcript = {
    ...recorded,
    ...(now !== undefined && { now: now.toISOString() }),
    ...(plan !== undefined && { plan }),
  }
  const judgedRules: JudgedRule[] = []
  const ruleResults = catalogue.map((rule): RuleResult => {
    const { judge: _, ...facts } = rule
    if (!isSelected(rule.id))
      return { ...facts, ...createDeselected('filter', 'the rule was excluded by --only or --skip') }
    if (!coversProfile(transcript.profile, rule.profile))
      return { ...facts, ...createDeselected('profile', `requires profile ${rule.profile}`) }
    const finding = rule.judge(transcript)
    judgedRules.push({ rule, finding })
    return { ...facts, ...createResult(rule, finding, transcript, headerVariables) }
  })
  const rules = markKnownFailures(ruleResults, options.knownFailures ?? [], Date.parse(transcript.now))
  const { exchanges, ...run } = transcript
  return {
    suite,
    ...run,
    requests: countRequests(transcript),
    groups: findGroups(transcript).map(({ name, exchanges, inFlight }) => ({
      name,
      requests: exchanges.length,
      inFlight,
    })),
    creates: listCreatingResponses(transcript).length,
    created: listCreatedAnimals(transcript),
    summary: countVerdicts(rules),
    rules,
    causes: findCauses(transcript, judgedRules),
    observations: observe(transcript),
    notes: createNotes(transcript),
    exchanges,
  }
}

const verdictByOutcome: Readonly<Record<Finding['outcome'], (level: Level) => Verdict>> = {
  holds: () => 'pass',
  broken: (level) => (level === 'MUST' ? 'fail' : 'warn'),
  'no-evidence': () => 'inconclusive',
  'not-applicable': () => 'not-applicable',
  'not-run': () => 'not-run',
}

type JudgedFields = Omit<RuleResult, keyof Omit<Rule, 'judge'>>

function createResult(
  rule: Rule,
  finding: Finding,
  transcript: Transcript,
  variables: readonly string[],
): JudgedFields {
  const { outcome, at, exchanges, ...texts } = finding
  const isBroken = outcome === 'broken'
  const firstExchange = isBroken ? transcript.exchanges.find(({ id }) => id === exchanges[0]) : undefined
  const evidence = firstExchange && createEvidence(firstExchange, at)
  return {
    verdict: verdictByOutcome[outcome](rule.level),
    ...texts,
    ...(evidence !== undefined && { evidence }),
    exchanges,
    ...(firstExchange !== undefined && {
      curl: formatCurl(
        transcript.target.baseUrl,
        firstExchange.request,
        variables,
        detectShell(),
        findGroup(transcript, firstExchange.group)?.exchanges.length,
      ),
    }),
  }
}

function createDeselected(deselected: 'profile' | 'filter', reason: string): JudgedFields {
  return { verdict: 'not-run', reason, deselected, exchanges: [] }
}

function coversProfile(profile: Profile, needed: RuleProfile): boolean {
  return needed === 'read' || (needed === 'create' ? createsAnimals(profile) : exhaustsLimit(profile))
}

function countVerdicts(rules: readonly RuleResult[]): Report['summary'] {
  const summary = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, 'not-run': 0 }
  for (const { verdict } of rules) summary[verdict] += 1
  return summary
}
