import { StoreUnavailable } from '../../../../core/index.ts'
import { createDeadline, type NextTurn } from '../../../breaker/deadline.ts'

/** How long the result of a probe counts, in milliseconds. */
const freshMs = 900
/** How long a probe waits for the storage: ten steps, of this many milliseconds. */
const stepMs = 180
const steps = 10
/** How many probes that were given up may be under way, for example in the pool of a driver. */
const maxGivenUp = 2

/** What is known of an ability of a storage: the cause where it fails. */
export type ProbeResult = { readonly failure: unknown } | 'success'

export interface ProbeOptions {
  /** Does what the storage must be able to do. Throws or rejects where it cannot. */
  readonly check: () => unknown
  /** Called with each result. */
  readonly onResult: (result: ProbeResult) => void
  /** Returns milliseconds. */
  readonly clock: () => number
  readonly nextTurn?: NextTurn | undefined
}

/** Checks an ability of a storage, at most one at a time. */
export interface Probe {
  /** Resolves with a result that is less than a second old, within two seconds. Never rejects. */
  recent(): Promise<ProbeResult>
  /** Checks now. Concurrent callers share one check. */
  run(): Promise<ProbeResult>
}

/** Creates a probe. A check that does not end is given up, and another one may begin. */
export function createProbe({ check, onResult, clock, nextTurn }: ProbeOptions): Probe {
  const deadline = createDeadline({
    stepMs,
    turns: steps,
    overdue: () => new StoreUnavailable(`no response within ${stepMs * steps} ms`),
    ...(nextTurn && { nextTurn }),
  })
  let last: { readonly result: ProbeResult; readonly at: number } | undefined
  let running: Promise<ProbeResult> | undefined
  let underWay = 0

  async function perform(): Promise<ProbeResult> {
    underWay++
    const checking = Promise.resolve()
      .then(check)
      .finally(() => {
        underWay--
      })
    try {
      await deadline.limit(checking, () => {
        checking.then(run, () => {}) // once the storage responds again, another check is quick
      })
      return 'success'
    } catch (failure) {
      return { failure }
    }
  }

  async function runOne(): Promise<ProbeResult> {
    const blocked: ProbeResult = { failure: new StoreUnavailable('earlier checks have not ended') }
    const result = await (underWay > maxGivenUp ? blocked : perform())
    running = undefined
    last = { result, at: clock() }
    onResult(result)
    return result
  }

  function run(): Promise<ProbeResult> {
    running ??= runOne()
    return running
  }

  return {
    run,
    async recent() {
      if (running) return running
      const age = last ? clock() - last.at : Number.POSITIVE_INFINITY
      return last && age >= 0 && age < freshMs ? last.result : run()
    },
  }
}
