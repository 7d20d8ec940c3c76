import type { Note } from '../report/report.ts'
import { shorten } from '../transcript/bounds.ts'
import type { Transcript } from '../transcript/transcript.ts'

/** Creates the notes on how a run reached the deployment and how long it waited. */
export function createNotes(transcript: Transcript): readonly Note[] {
  return [...createNetworkNotes(transcript), ...createWaitNotes(transcript)].map((note) => ({
    ...note,
    message: shorten(note.message),
  }))
}

function createNetworkNotes({ network = {} }: Transcript): readonly Note[] {
  const { insecure, proxy } = network
  const messages = [
    insecure &&
      'certificates were not verified (--insecure), so an attacker may have read the key or changed responses',
    proxy !== undefined && `requests were sent through the proxy ${proxy}`,
  ]
  return messages.flatMap((message) =>
    message ? [{ kind: 'network', message, exchanges: [] } as const] : [],
  )
}

function createWaitNotes({ waits = [] }: Transcript): readonly Note[] {
  const totalWaitMs = waits.reduce((sum, { ms }) => sum + ms, 0)
  if (waits.length === 0) return []
  const reasons = [...new Set(waits.map(({ reason }) => reason))].join(' and ')
  const message = `the run waited ${Math.ceil(totalWaitMs / 1000)} s for rate limits (${reasons})`
  return [{ kind: 'waited', message, exchanges: waits.map(({ before }) => before) }]
}
