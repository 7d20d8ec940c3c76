import type { Level, RuleProfile, Verdict } from '../rules/rule.ts'
import type { HeaderList, Profile } from '../transcript/transcript.ts'

/** The result of one rule. */
export interface RuleResult {
  readonly id: string
  readonly level: Level
  readonly section: string
  readonly title: string
  readonly profile: RuleProfile
  readonly verdict: Verdict
  readonly reason: string
  readonly expected?: string
  readonly got?: string
  /** Set where the rule stands in the known failures: the reason given there. */
  readonly known?: string
  /** Why it was never asked for: its profile or the filters; absent where it was. Such a rule is `not-run`. */
  readonly deselected?: 'profile' | 'filter'
  /** The ids of the exchanges that it rests on, the telling one first. */
  readonly exchanges: readonly string[]
  /** The command that shows the telling exchange again, `$PET_ADOPTION_API_KEY` in the key's place. */
  readonly curl?: string
}

/** How the deployment fills one of the spec's gaps. */
export interface Observation {
  readonly gap: string
  readonly section: string
  readonly observed: string
}

/** One exchange as a report shows it. */
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
    /** Its first 64 Ki characters; the transcript has all of it. */
    readonly body: string
    readonly ms: number
  }
  readonly error?: string
}

/** The whole report: what `--format json` prints, and what every other format is made from. */
export interface Report {
  readonly suite: { readonly name: string; readonly version: string; readonly interface: string }
  readonly target: { readonly baseUrl: string }
  readonly profile: Profile
  readonly startedAt: string
  readonly durationMs: number
  /** How many requests were sent. */
  readonly requests: number
  /** How many creations were accepted. */
  readonly creates: number
  /** The animals that were created, for whoever wants to clear them away. */
  readonly created: readonly { readonly id: string; readonly name: string }[]
  readonly endedEarly?: string
  readonly summary: Readonly<Record<Verdict, number>>
  readonly rules: readonly RuleResult[]
  readonly observations: readonly Observation[]
  readonly exchanges: readonly ReportExchange[]
}
