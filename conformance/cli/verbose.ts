import type { Exchange, Outcome } from '../index.ts'
import { printable } from '../transcript/printable.ts'
import { carried } from './dry-run.ts'

/** The line of `--verbose` for an exchange: when, what was sent with which credential, and what came, also of earlier attempts. */
export function exchangeLine({ id, at, credential, request, attempts = [], outcome }: Exchange): string {
  const seconds = (at / 1000).toFixed(2).padStart(7)
  const sent = `${request.method.padEnd(4)} ${printable(request.target)}`.padEnd(40)
  const came = [
    ...attempts.map((attempt) => `${result(attempt.outcome)} (${attempt.reason})`),
    result(outcome),
  ]
  return `${seconds}  ${sent}  ${came.join(', then ')}  [${printable(id)}, ${carried[credential]}]\n`
}

function result(outcome: Outcome): string {
  if (outcome.kind === 'error') return printable(outcome.error)
  const { status, body, ms } = outcome.response
  return `${status}, ${body.length} characters, ${ms} ms`
}
