import type { Rule, Verdict } from '../rules/rule.ts'
import type { Profile } from '../steps/profile.ts'
import type { ReceivedResponse, SentRequest } from '../transcript/transcript.ts'

/** A part of a text with a mark in it. An ellipsis replaces omitted text. */
export interface Excerpt {
  /** The text before it. */
  readonly before: string
  /** Empty if nothing is marked. */
  readonly marked: string
  /** The text after it. */
  readonly after: string
}

/** The response that breaks a rule, and the part of it that is at fault. */
export interface Evidence {
  /** The id of the exchange. */
  readonly exchange: string
  /** The HTTP status. */
  readonly status: number
  /** The content type, as sent; absent if the response has none. */
  readonly contentType?: string
  /** The part at fault in words, such as `$[3].name in the body`; absent if it is the status, or the whole response. */
  readonly at?: string
  /** The header at fault, with a mark on its value; absent if it is missing, or if no header is at fault. */
  readonly header?: Excerpt
  /** The start of the body, or the text around the value at fault; absent without a body, or if it was not read. */
  readonly body?: Excerpt
}

/** A rule and its result. */
export interface RuleResult extends Omit<Rule, 'judge'> {
  /** The result. */
  readonly verdict: Verdict
  /** The reason of the verdict, in words that a reader can act on. */
  readonly reason: string
  /** The result that the interface requires; absent unless the rule is broken. */
  readonly expected?: string
  /** The result that the deployment returned; absent unless the rule is broken. */
  readonly got?: string
  /** The response that breaks the rule, of a broken rule. */
  readonly evidence?: Evidence
  /** The reason of the known failure, if the rule is one. */
  readonly known?: string
  /** The reason why the rule was not selected: its profile or the filters. Such a rule is `not-run`. Absent if it was selected. */
  readonly deselected?: 'profile' | 'filter'
  /** The ids of the exchanges that the rule judged. Of a broken rule, the first one is the evidence. */
  readonly exchanges: readonly string[]
  /** The command that repeats the request of the evidence, with `$PET_ADOPTION_API_KEY` for the key. */
  readonly curl?: string
}

/** A fault of the deployment, or of the way to it, that explains why rules do not hold. */
export interface Cause {
  /** Stable, such as `redirect`. */
  readonly id: string
  /** The fault of the deployment, in one sentence without a full stop. */
  readonly title: string
  /** Advice, as an imperative without a full stop. */
  readonly advice: string
  /**
   * The ids of the rules that it explains: broken ones, and others that could not be judged. A rule has one cause at
   * most.
   */
  readonly rules: readonly string[]
  /** The ids of the exchanges that show it. */
  readonly exchanges: readonly string[]
}

/** A decision of the deployment that the interface leaves open. */
export interface Observation {
  /** The question that the interface does not answer. */
  readonly gap: string
  /** The section of the interface. */
  readonly section: string
  /** The anchor of the open statement in `conformance/interface.md`. */
  readonly statement: string
  /** The behaviour of this deployment. */
  readonly observed: string
}

/** An exchange as a report shows it: its response, or the error instead of one. */
export interface ReportExchange {
  /** The id that rules use for it. */
  readonly id: string
  /** The request, without secrets. */
  readonly request: SentRequest
  /** The number of times that the request was sent; absent if once. */
  readonly times?: number
  /** Has at most the first 65,536 characters of the body; a saved transcript has the whole. */
  readonly response?: Pick<ReceivedResponse, 'status' | 'headers' | 'body' | 'ms'>
  /** The error instead of a response. */
  readonly error?: string
}

/** A remark on the run. It does not change a verdict. */
export interface Note {
  /**
   * `connection`: a request had another result on the connection of the exchange before it than on a new one. `waited`: the run waited for a limit. `network`: how the
   * deployment was reached.
   */
  readonly kind: 'connection' | 'waited' | 'network'
  /** The note, for a person. */
  readonly message: string
  /** The ids of the exchanges that it is about; the first one is at fault, if one is. */
  readonly exchanges: readonly string[]
}

/** The result of judging a transcript. `--format json` prints it, and every other format presents it. */
export interface Report {
  /** The suite. */
  readonly suite: { readonly name: string; readonly version: string; readonly interface: string }
  /** The deployment. */
  readonly target: { readonly baseUrl: string }
  /** The profile that chose the requests. */
  readonly profile: Profile
  /** The time the run began, in ISO 8601. */
  readonly startedAt: string
  /** The duration of the run, in milliseconds. */
  readonly durationMs: number
  /** The number of requests. */
  readonly requests: number
  /** The number of accepted creations. */
  readonly creates: number
  /**
   * The animals that the run created, including animals whose creation seemed to fail but which a later response shows.
   * The suite cannot delete them.
   */
  readonly created: readonly { readonly id: string; readonly name: string }[]
  /** The reason of an early end; absent if the run sent everything. */
  readonly endedEarly?: string
  /** The number of rules with each verdict. */
  readonly summary: Readonly<Record<Verdict, number>>
  /** The results, by id. */
  readonly rules: readonly RuleResult[]
  /** The causes of broken and undecided rules, the most fundamental one first. A cause changes no verdict. */
  readonly causes: readonly Cause[]
  /** The decisions of the deployment that the interface leaves open. */
  readonly observations: readonly Observation[]
  /** Remarks on the run. */
  readonly notes: readonly Note[]
  /** The requests and responses. */
  readonly exchanges: readonly ReportExchange[]
}

/** The colour of a text on a terminal. */
export type Ink = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** The look of a verdict: its sign, the words after a count, and the colour of both on a terminal. */
export interface VerdictFacts {
  readonly mark: string
  readonly counted: string
  readonly ink: Ink
}

/** Every verdict, the most severe first. */
export const verdicts: Readonly<Record<Verdict, VerdictFacts>> = {
  fail: { mark: '✗', counted: 'failed', ink: 'red' },
  warn: { mark: '!', counted: 'warned', ink: 'yellow' },
  inconclusive: { mark: '?', counted: 'inconclusive', ink: 'cyan' },
  pass: { mark: '✓', counted: 'passed', ink: 'green' },
  'not-applicable': { mark: '–', counted: 'not applicable', ink: 'dim' },
  'not-run': { mark: '·', counted: 'not run', ink: 'dim' },
}

/** The names of all verdicts, in the same order. */
export const verdictNames: readonly Verdict[] =
  // a literal's own keys
  Object.keys(verdicts) as Verdict[]

/** Returns `true` if a rule is broken. */
export function isBroken(rule: RuleResult): boolean {
  return rule.verdict === 'fail' || rule.verdict === 'warn'
}

/** Returns `true` if a rule is broken and a known failure, so that it does not count. */
export function isKnown(rule: RuleResult): boolean {
  return rule.known !== undefined && isBroken(rule)
}

/** Returns the broken rules of a report, each in one list. */
export function listBrokenRules({
  rules,
}: Report): Readonly<Record<'failures' | 'warnings' | 'known', readonly RuleResult[]>> {
  return {
    failures: rules.filter((rule) => rule.verdict === 'fail' && !isKnown(rule)),
    warnings: rules.filter((rule) => rule.verdict === 'warn' && !isKnown(rule)),
    known: rules.filter(isKnown),
  }
}
