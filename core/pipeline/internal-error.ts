import type { ServiceResponse } from '../http/http.ts'
import { createPlainInternalError } from './respond.ts'
import type { Peer, ServiceInternals } from './service-internals.ts'

/**
 * Reports why a response could not be created or written, and returns the 500 to write instead.
 *
 * @param failed The response that could not be written. The 500 has its rate-limit headers, or else those of the peer's
 * address.
 */
export async function createInternalError(
  internals: ServiceInternals,
  cause: unknown,
  peer: Peer,
  failed?: ServiceResponse,
): Promise<ServiceResponse> {
  internals.report(cause)
  const rateLimit = findRateLimitHeaders(failed)
  const response = createPlainInternalError(rateLimit)
  return rateLimit.length > 0 ? response : internals.withRateLimit(response, peer)
}

/** Returns the rate-limit headers of a response; none if one of the three is missing or is not a number. */
function findRateLimitHeaders(response: Partial<ServiceResponse> | undefined): readonly string[] {
  const { rawHeaders = [] } = response ?? {}
  const found: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (/^x-ratelimit-/i.test(name) && /^\d+$/.test(value)) found.push(name, value)
  }
  return found.length === 2 * 3 ? found : []
}
