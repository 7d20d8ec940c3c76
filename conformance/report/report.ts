import type { Rule, Verdict } from '../rules/rule.ts'
import type { Transcript } from '../transcript/transcript.ts'

/** A text around a problem, with the wrong part marked. */
export interface Excerpt {
  /** The text before the marked part. It starts with `…` if earlier text was cut off. */
  readonly before: string
  /** The wrong part, or an empty string if nothing is marked. */
  readonly marked: string
  /** The text after the marked part. It ends with `…` if later text was cut off. */
  readonly after: string
}

/** The part of a response that shows why a rule is broken. */
export interface Evidence {
  /** The exchange's id. */
  readonly exchange: string
  /** The response's status. */
  readonly status: number
  /** The response's `Content-Type`. Absent if there is none. */
  readonly contentType?: string
  /** The place of the problem, such as `$[3].name in the body`. Absent if it is the status or the whole response. */
  readonly at?: string
  /**
   * The header with the problem, with its value marked. Absent if the header is missing, or the problem is elsewhere.
   */
  readonly header?: Excerpt
  /** The part of the body around the problem, or its beginning. Absent if the body is empty or was not read. */
  readonly body?: Excerpt
}

/** A rule and the verdict on it. */
export interface RuleResult extends Omit<Rule, 'judge'> {
  /** The verdict on the rule. */
  readonly verdict: Verdict
  /** Why the rule has this verdict. */
  readonly reason: string
  /** What the interface requires. Present if the rule is broken. */
  readonly expected?: string
  /** What the deployment returned. Present if the rule is broken. */
  readonly got?: string
  /** The response that breaks the rule. */
  readonly evidence?: Evidence
  /** The reason of the known failure. Absent if the rule is not known to fail. */
  readonly known?: string
  /**
   * Why the rule was not selected: it needs another profile, or was excluded by `only` or `skip`. Such a rule is
   * `not-run`. Absent if it was selected.
   */
  readonly deselected?: 'profile' | 'filter'
  /** The ids of exchanges that the rule judged. If the rule is broken, the first exchange is the evidence. */
  readonly exchanges: readonly string[]
  /**
   * A curl command that repeats the request, with `$PET_ADOPTION_API_KEY` for the key. Present if the rule is broken.
   */
  readonly curl?: string
}

/** A fault in the deployment, or in a proxy before it, that explains the verdicts on several rules. */
export interface Cause {
  /** The kind of fault, such as `redirect`. It is the same in later versions. */
  readonly id: string
  /** What is wrong, in one sentence. */
  readonly title: string
  /** Advice on how to remove the fault. */
  readonly advice: string
  /** The ids of rules that the cause explains, broken or undecided. A rule has at most one cause. */
  readonly rules: readonly string[]
  /** The ids of exchanges that show the fault. */
  readonly exchanges: readonly string[]
}

/** What the deployment does where the interface leaves the behavior open. */
export interface Observation {
  /** The question that the interface leaves open. */
  readonly gap: string
  /** The interface's section, such as `4.1`. */
  readonly section: string
  /** The anchor of the statement in `interface.md`. */
  readonly statement: string
  /** What the deployment does. */
  readonly observed: string
}

/** A group of parallel requests, each with its own connection. */
export interface GroupFacts {
  /** The group's name, as in `Exchange.group`. */
  readonly name: string
  /** The number of requests in the group. */
  readonly requests: number
  /** The maximum number of requests that were in flight at the same time. */
  readonly inFlight: number
}

/** A remark on how the run went. It does not change a verdict. */
export interface Note {
  /** `waited` for pauses because of rate limits, or `network` for how the deployment was reached. */
  readonly kind: 'waited' | 'network'
  /** The remark, in one sentence. */
  readonly message: string
  /** The ids of exchanges that the note is about. */
  readonly exchanges: readonly string[]
}

/** A judged run: the transcript, and the verdict on each rule. It can be judged again. */
export interface Report extends Transcript {
  /** The suite's name and version, and the interface's version. */
  readonly suite: { readonly name: string; readonly version: string; readonly interface: string }
  /** The number of requests that were sent. */
  readonly requests: number
  /** The groups of parallel requests. */
  readonly groups: readonly GroupFacts[]
  /** The number of successful creations. */
  readonly creates: number
  /**
   * The animals that the run created, which the suite cannot remove. Some creations seem to fail, but a later response
   * shows their animal. An id is `unknown` if no response shows it.
   */
  readonly created: readonly { readonly id: string; readonly name: string }[]
  /** The number of rules with each verdict. */
  readonly summary: Readonly<Record<Verdict, number>>
  /** The results for all rules, in catalogue order. */
  readonly rules: readonly RuleResult[]
  /** The causes of broken and undecided rules, the most fundamental first. A cause changes no verdict. */
  readonly causes: readonly Cause[]
  /** What the deployment does where the interface leaves the behavior open. */
  readonly observations: readonly Observation[]
  /** Remarks on how the run went. */
  readonly notes: readonly Note[]
}

export type Ink = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export interface VerdictFacts {
  readonly mark: string
  readonly label: string
  readonly ink: Ink
}

/** How reports show each verdict, from most to least severe. */
export const verdicts: Readonly<Record<Verdict, VerdictFacts>> = {
  fail: { mark: '✗', label: 'failed', ink: 'red' },
  warn: { mark: '!', label: 'warned', ink: 'yellow' },
  inconclusive: { mark: '?', label: 'inconclusive', ink: 'cyan' },
  pass: { mark: '✓', label: 'passed', ink: 'green' },
  'not-applicable': { mark: '–', label: 'not applicable', ink: 'dim' },
  'not-run': { mark: '·', label: 'not run', ink: 'dim' },
}

export const verdictNames: readonly Verdict[] =
  // `Object.keys` returns `string[]`, but the literal has only these keys
  Object.keys(verdicts) as Verdict[]

export function isBroken(rule: RuleResult): boolean {
  return rule.verdict === 'fail' || rule.verdict === 'warn'
}

/** Checks whether a known failure still fails. */
export function isKnown(rule: RuleResult): boolean {
  return rule.known !== undefined && isBroken(rule)
}

/** Lists the broken rules: failures, warnings and known failures. */
export function listBrokenRules({
  rules,
}: Report): Readonly<Record<'failures' | 'warnings' | 'known', readonly RuleResult[]>> {
  return {
    failures: rules.filter((rule) => rule.verdict === 'fail' && !isKnown(rule)),
    warnings: rules.filter((rule) => rule.verdict === 'warn' && !isKnown(rule)),
    known: rules.filter(isKnown),
  }
}
