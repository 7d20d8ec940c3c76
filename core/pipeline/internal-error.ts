import type { ServiceResponse } from '../http/http.ts'
import type { Peer, ServiceInternals } from './for-mounts.ts'
import { createPlainInternalError } from './respond.ts'

/**
 * Reports why a response could not be created or written, and returns the 500 to write instead.
 *
 * @param failed The response that could not be written. The 500 has its rate-limit numbers, or else the numbers of the
 * peer's address.
 */
export async function createInternalError(
  internals: ServiceInternals,
  cause: unknown,
  peer: Peer,
  failed?: ServiceResponse,
): Promise<ServiceResponse> {
  internals.report(cause)
  const numbers = rateLimitNumbers(failed)
  const response = createPlainInternalError(numbers)
  return numbers.length > 0 ? response : internals.withRateLimit(response, peer)
}

/** Returns the rate-limit headers of a response, unless one of them is invalid. */
function rateLimitNumbers(response: Partial<ServiceResponse> | undefined): readonly string[] {
  const { rawHeaders: headers = [] } = response ?? {}
  const isNumber = (i: number) =>
    /^x-ratelimit-/i.test(headers[i] ?? '') && /^\d+$/.test(headers[i + 1] ?? '')
  const numbers = headers.filter((_, i) => isNumber(i % 2 === 0 ? i : i - 1))
  return numbers.length === 6 ? numbers : []
}
