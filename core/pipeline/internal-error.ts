import type { ServiceResponse } from '../http/http.ts'
import { createPlainInternalError } from './respond.ts'
import type { Peer, ServiceInternals } from './service-internals.ts'

/**
 * Reports an error in a mount and creates the 500 for it. Like every response, it has rate limit headers.
 *
 * @param failedResponse - The response that could not be created or sent. If it has rate limit headers, the 500 has the
 * same ones.
 */
export async function createInternalError(
  internals: ServiceInternals,
  cause: unknown,
  peer: Peer,
  failedResponse?: ServiceResponse,
): Promise<ServiceResponse> {
  internals.reportError(cause)
  const rateLimit = findRateLimitHeaders(failedResponse)
  const response = createPlainInternalError(rateLimit)
  return rateLimit.length > 0 ? response : internals.addRateLimitHeaders(response, peer)
}

/** Returns a response's rate limit headers, or an empty array unless all three are numbers. */
function findRateLimitHeaders(response: Partial<ServiceResponse> | undefined): readonly string[] {
  const { rawHeaders = [] } = response ?? {}
  const foundMessages: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (/^x-ratelimit-/i.test(name) && /^\d+$/.test(value)) foundMessages.push(name, value)
  }
  return foundMessages.length === 2 * 3 ? foundMessages : []
}
