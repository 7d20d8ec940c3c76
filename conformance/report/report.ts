import type { Level, RuleProfile, Verdict } from '../rules/rule.ts'
import type { HeaderList, Profile } from '../transcript/transcript.ts'

/** The result of a rule. */
export interface RuleResult {
  readonly id: string
  readonly level: Level
  /** The section of the interface, such as `4.1`. */
  readonly section: string
  /** The anchor of the statement in `conformance/interface.md`. */
  readonly statement: string
  /** What the rule requires, in one sentence. */
  readonly title: string
  readonly profile: RuleProfile
  readonly verdict: Verdict
  readonly reason: string
  /** What the interface requires, and what the deployment returned, of a broken rule. */
  readonly expected?: string
  readonly got?: string
  /** The reason of the known failure, if the rule is one. */
  readonly known?: string
  /** Why the rule was not selected: its profile or the filters. Such a rule is `not-run`. Absent if it was selected. */
  readonly deselected?: 'profile' | 'filter'
  /** The ids of the exchanges that the rule judged. Of a broken rule, the first one is the evidence. */
  readonly exchanges: readonly string[]
  /** The command that repeats the request of the evidence, with `$PET_ADOPTION_API_KEY` for the key. */
  readonly curl?: string
}

/** How the deployment decides what the interface leaves open. */
export interface Observation {
  readonly gap: string
  readonly section: string
  /** The anchor of the open statement in `conformance/interface.md`. */
  readonly statement: string
  readonly observed: string
}

/** An exchange as a report shows it. */
export interface ReportExchange {
  readonly id: string
  readonly request: {
    readonly method: string
    readonly target: string
    readonly headers: HeaderList
    readonly body?: string
  }
  readonly response?: {
    readonly status: number
    readonly headers: HeaderList
    /** At most the first 65,536 characters; a saved transcript has the whole body. */
    readonly body: string
    /** The time from sending to the last byte, in milliseconds. */
    readonly ms: number
  }
  readonly error?: string
}

/** The result of judging a transcript. `--format json` prints it, and every other format presents it. */
export interface Report {
  readonly suite: { readonly name: string; readonly version: string; readonly interface: string }
  readonly target: { readonly baseUrl: string }
  readonly profile: Profile
  /** When the run began, as an ISO time. */
  readonly startedAt: string
  /** The duration of the run, in milliseconds. */
  readonly durationMs: number
  /** How many requests were sent. */
  readonly requests: number
  /** How many creations were accepted. */
  readonly creates: number
  /** The animals that the run created. The suite cannot delete them. */
  readonly created: readonly { readonly id: string; readonly name: string }[]
  /** Why the run ended early; absent if it sent everything. */
  readonly endedEarly?: string
  readonly summary: Readonly<Record<Verdict, number>>
  readonly rules: readonly RuleResult[]
  readonly observations: readonly Observation[]
  readonly exchanges: readonly ReportExchange[]
}
