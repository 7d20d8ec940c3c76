import { ApiError } from './errors.ts'
import type { Plan, PlanLimits } from './plans.ts'

/** Whom a key belongs to. */
export interface Caller {
  /** Names the caller in logs and in the limiter; never the key itself. */
  readonly id: string
  readonly plan: Plan
  readonly limits: PlanLimits
}

/** Where keys are looked up. May answer at once or with a promise. */
export interface KeyStore {
  /**
   * The caller that a bearer token belongs to; undefined for a token that is unknown or expired. `digest` is the token's
   * SHA-256 as 16 UTF-16 code units of two bytes each, which the service has computed: a store may ignore it.
   */
  find(token: string, digest?: string): Caller | undefined | Promise<Caller | undefined>
}

/** RFC 6750, 3: `error` is told only to who sent a credential. */
const realm = 'Bearer realm="pet-adoption-service"'

/** No credential came (spec 5.3). */
export const missingKey: ApiError = new ApiError('missing_api_key', undefined, ['WWW-Authenticate', realm])

/** A credential came and is not valid (spec 5.3). */
export const invalidKey: ApiError = new ApiError('invalid_api_key', undefined, [
  'WWW-Authenticate',
  `${realm}, error="invalid_token"`,
])

const scheme = 'bearer '
/** RFC 6750, 2.1. */
const b64token = /^[\w\-.~+/]+=*$/
/** A bearer scheme with something else behind it, or in a header that was sent before or after another. */
const malformed = /^bearer(?:\t| +[^ ])|,\s*bearer\b/i

/** The token of an `Authorization` header, whose repeated values are joined by commas; or the ApiError to answer with. */
export function readBearer(header: string | undefined): string | ApiError {
  if (header === undefined) return missingKey
  if (header.slice(0, scheme.length).toLowerCase() === scheme) {
    let start = scheme.length
    while (header[start] === ' ') start++
    const token = header.slice(start)
    if (b64token.test(token)) return token
  }
  return malformed.test(header) ? invalidKey : missingKey
}
