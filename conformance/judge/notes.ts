import type { Note } from '../report/report.ts'
import { isSafe } from '../steps/step.ts'
import { shorten } from '../transcript/bounds.ts'
import { plural } from '../transcript/printable.ts'
import {
  type Attempt,
  type Exchange,
  type Outcome,
  requestName,
  type Transcript,
} from '../transcript/transcript.ts'

/** Returns what a reader has to know of how a run went, apart from the verdicts. */
export function notesOn(transcript: Transcript): readonly Note[] {
  return [
    ...notesOnNetwork(transcript),
    ...transcript.exchanges.flatMap((exchange) =>
      (exchange.attempts ?? []).map((attempt, n) => noteOn(exchange, attempt, n)),
    ),
    ...notesOnExtraBytes(transcript),
    ...notesOnWaits(transcript),
  ].map((note) => ({ ...note, message: shorten(note.message) }))
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

function noteOn(exchange: Exchange, attempt: Attempt, n: number): Note {
  const { id, attempts = [], outcome } = exchange
  const subject = requestName(exchange)
  const next = attempts[n + 1]?.outcome ?? outcome
  const [first, second] = [described(attempt.outcome), described(next)]
  switch (attempt.reason) {
    case 'rate-limited': {
      const then = isSafe(exchange.request.method)
        ? `then it returned ${second}`
        : `as a ${exchange.request.method} it was not sent again`
      return repeated(`${subject} was rejected with 429; the run waited for its Retry-After, and ${then}`, id)
    }
    case 'closed':
      return repeated(
        `${subject}: the connection closed before a response; on a new connection it returned ${second}`,
        ...pair(attempt.after, id),
      )
    case 'unexpected': {
      const again = `${subject} returned ${first}; sent once more on a new connection, it returned ${second}`
      if (first === second) return repeated(again, id)
      if (attempt.after === undefined) return repeated(`${again}, which is judged`, id)
      return {
        kind: 'connection',
        message: `the connection was left unusable by ${attempt.after}: ${again}, which is judged. A server must read the body of a request, or close the connection, before it reads the next request`,
        exchanges: [attempt.after, id],
      }
    }
  }
}

/** One note for all: a wrong `Content-Length` seldom is on a single response. */
function notesOnExtraBytes({ exchanges }: Transcript): readonly Note[] {
  const ids = exchanges.flatMap(({ id, outcome }) =>
    outcome.kind === 'response' && outcome.response.followed ? [id] : [],
  )
  const [first] = ids
  if (first === undefined) return []
  const others = ids.length > 1 ? ` and of ${plural(ids.length - 1, 'other')}` : ''
  const message = `the response of ${first}${others} has more bytes than its headers state: Content-Length counts bytes, not characters`
  return [{ kind: 'connection', message, exchanges: ids }]
}

function repeated(message: string, ...exchanges: readonly string[]): Note {
  return { kind: 'repeated', message, exchanges }
}

function pair(after: string | undefined, id: string): readonly string[] {
  return after === undefined ? [id] : [id, after]
}

/** What a request returned, in short. */
function described(outcome: Outcome): string {
  return outcome.kind === 'response' ? String(outcome.response.status) : `no response (${outcome.error})`
}

function notesOnWaits({ waits = [] }: Transcript): readonly Note[] {
  const total = waits.reduce((sum, { ms }) => sum + ms, 0)
  if (waits.length === 0) return []
  const reasons = [...new Set(waits.map(({ reason }) => reason))].join(' and ')
  const message = `the run waited ${Math.ceil(total / 1000)} s for the limit of the deployment (${reasons})`
  return [{ kind: 'waited', message, exchanges: waits.map(({ before }) => before) }]
}
