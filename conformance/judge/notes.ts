import type { Note } from '../report/report.ts'
import { shorten } from '../transcript/bounds.ts'
import { formatRequestName, isServerError, type Transcript } from '../transcript/transcript.ts'

/** Returns the remarks on a run for readers, apart from the verdicts. */
export function createNotes(transcript: Transcript): readonly Note[] {
  return [...notesOnNetwork(transcript), ...notesOnLeftover(transcript), ...notesOnWaits(transcript)].map(
    (note) => ({ ...note, message: shorten(note.message) }),
  )
}

function notesOnNetwork({ network = {} }: Transcript): readonly Note[] {
  const { insecure, proxy } = network
  const messages = [
    insecure &&
      'certificates were not verified (--insecure): anyone on the way could read the key and change responses',
    proxy !== undefined && `the deployment was reached through the proxy ${proxy}`,
  ]
  return messages.flatMap((message) =>
    message ? [{ kind: 'network', message, exchanges: [] } as const] : [],
  )
}

/**
 * A response that a new connection does not repeat is the fault of the exchange before it on the old one. A 5xx may have
 * another cause.
 */
function notesOnLeftover({ exchanges }: Transcript): readonly Note[] {
  return exchanges.flatMap((exchange, n) => {
    const [before, { leftover, outcome }] = [exchanges[n - 1], exchange]
    if (before === undefined || leftover === undefined) return []
    const then = outcome.kind === 'response' ? outcome.response.status : `no response (${outcome.error})`
    const again = `sent once more on a new connection, it returned ${then}, which is judged`
    const message = isServerError(leftover)
      ? `${formatRequestName(exchange)} returned ${leftover}; ${again}. The deployment, or a gateway in front of it, fails at times`
      : `the connection was left unusable by ${before.id}: ${formatRequestName(exchange)} returned ${leftover}; ${again}. A server must read the body of a request, or close the connection, before it reads the next request`
    const ids = isServerError(leftover) ? [exchange.id] : [before.id, exchange.id]
    return [{ kind: 'connection', message, exchanges: ids }]
  })
}

function notesOnWaits({ waits = [] }: Transcript): readonly Note[] {
  const total = waits.reduce((sum, { ms }) => sum + ms, 0)
  if (waits.length === 0) return []
  const reasons = [...new Set(waits.map(({ reason }) => reason))].join(' and ')
  const message = `the run waited ${Math.ceil(total / 1000)} s for the limit of the deployment (${reasons})`
  return [{ kind: 'waited', message, exchanges: waits.map(({ before }) => before) }]
}
