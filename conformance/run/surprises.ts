import type { Credential } from '../steps/step.ts'
import type { Outcome } from '../transcript/transcript.ts'

/** The credentials that a deployment is expected to accept. */
const accepted: readonly Credential[] = ['key', 'key-other-case', 'throttle-key']

/** Whether a deployment is expected to accept a credential. */
export function isAccepted(credential: Credential): boolean {
  return accepted.includes(credential)
}

/** What is known of a request before it is sent. */
export interface Asked {
  readonly method: string
  readonly target: string
  readonly credential: Credential
}

/**
 * Whether no step expects this response there, so that it may be the remains of another exchange: a 5xx, another status
 * than 401 without a valid key, and an error where the request is valid.
 */
export function isSurprise({ target, credential }: Asked, outcome: Outcome): boolean {
  if (outcome.kind === 'error') return false
  const { status } = outcome.response
  if (status === 429) return false
  if (!isAccepted(credential)) return status !== 401
  if (status >= 500) return true
  if (status < 400 || status === 401 || status === 403) return false
  if (isValidList(target)) return true
  return isInt64Path(target) && status !== 404 && status !== 405 && status !== 410
}

function isValidList(target: string): boolean {
  const [path, query] = target.split('?')
  if (path !== '/pets') return false
  return [...new URLSearchParams(query)].every(([name, value]) =>
    name === 'limit'
      ? /^([1-9]\d?|100)$/.test(value)
      : name === 'status' && /^(available|pending|sold)$/.test(value),
  )
}

function isInt64Path(target: string): boolean {
  return /^\/pets\/-?\d{1,19}$/.test(target)
}
