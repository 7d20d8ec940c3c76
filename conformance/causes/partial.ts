import { isGateway, responses } from '../transcript/responses.ts'
import type { Explains, FaultKind } from './cause.ts'

/** Requests of a run that had no response of the deployment, while others had one. */
export const partialFaults: readonly FaultKind[] = [
  {
    id: 'lost-responses',
    find(transcript) {
      const lost = transcript.exchanges.flatMap(({ id, outcome }) =>
        outcome.kind === 'error' ? [{ id, error: outcome.error }] : [],
      )
      const [first] = lost
      if (first === undefined) return undefined
      const ids = lost.map(({ id }) => id)
      return {
        title: `${lost.length} of ${transcript.exchanges.length} requests had no complete response, the first one: ${first.error}`,
        advice:
          'look at what the deployment, and what stands in front of it, did with these requests; then run again',
        exchanges: ids,
        explains: undecidedBy(ids, transcript.exchanges.at(-1)?.outcome.kind === 'error'),
      }
    },
  },
  {
    id: 'gateway-errors',
    find(transcript) {
      const failed = responses(transcript).filter(({ response }) => isGateway(response.status))
      const [first] = failed
      if (first === undefined) return undefined
      const ids = failed.map(({ id }) => id)
      return {
        title: `${failed.length} of ${transcript.exchanges.length} responses may come from a gateway, the first one with ${first.response.status}`,
        advice: 'look at why the gateway did not reach the deployment; then run again',
        exchanges: ids,
        explains: undecidedBy(ids, false),
      }
    },
  },
]

/** Explains the rules that these exchanges leave undecided, and those that were not run if the run ended there. */
function undecidedBy(ids: readonly string[], hasEnded: boolean): Explains {
  const undecided = new Set(ids)
  return {
    kind: 'condition',
    holds: ({ outcome, exchanges }) =>
      outcome === 'not-run'
        ? hasEnded
        : outcome === 'no-evidence' && exchanges.some((id) => undecided.has(id)),
  }
}
