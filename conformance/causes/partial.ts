import { isGateway, responses } from '../transcript/responses.ts'
import { type Explains, type FaultKind, shownBy } from './cause.ts'

/** Requests of a run that had no response of the deployment, while others had one. */
export const partialFaults: readonly FaultKind[] = [
  {
    id: 'lost-responses',
    find(transcript) {
      const lost = transcript.exchanges.flatMap(({ id, outcome }) =>
        outcome.kind === 'error' ? [{ id, error: outcome.error }] : [],
      )
      return shownBy(lost, ({ error }) => ({
        title: `${lost.length} of ${transcript.exchanges.length} requests had no complete response, the first one: ${error}`,
        advice:
          'look at what the deployment, and what stands in front of it, did with these requests; then run again',
        explains: undecidedBy(lost, transcript.exchanges.at(-1)?.outcome.kind === 'error'),
      }))
    },
  },
  {
    id: 'gateway-errors',
    find(transcript) {
      const failed = responses(transcript).filter(({ response }) => isGateway(response.status))
      return shownBy(failed, ({ response: { status } }) => ({
        title: `${failed.length} of ${transcript.exchanges.length} responses may come from a gateway, the first one with ${status}`,
        advice: 'look at why the gateway did not reach the deployment; then run again',
        explains: undecidedBy(failed, false),
      }))
    },
  },
]

/** Explains the rules that these exchanges leave undecided, and those that were not run if the run ended there. */
function undecidedBy(some: readonly { readonly id: string }[], hasEnded: boolean): Explains {
  const undecided = new Set(some.map(({ id }) => id))
  return {
    kind: 'condition',
    holds: ({ outcome, exchanges }) =>
      outcome === 'not-run'
        ? hasEnded
        : outcome === 'no-evidence' && exchanges.some((id) => undecided.has(id)),
  }
}
