import { isUnavailableError } from '../../core/internal.ts'
import { StartupError } from '../backend/index.ts'
import { connectTimeoutMs } from './connector.ts'
import { readErrorCode, toStoreError } from './failure.ts'

/** SQLSTATE codes for a wrong password, a missing database and a missing privilege. Waiting does not help. */
const unusableCodes = /^(?:28|3D000|42501)/

/**
 * Returns a `StartupError` for a failure at startup. Misuse is returned unchanged.
 *
 * @param host - Host and port, for the message.
 */
export function toStartupError(error: unknown, host: string): unknown {
  if (error instanceof StartupError || error instanceof TypeError || !(error instanceof Error)) return error
  const failure = toStoreError(error)
  if (!isUnavailableError(failure)) return new StartupError('unusable', error.message, { cause: error })
  const cause = failure.cause instanceof Error ? failure.cause : error
  const code = readErrorCode(cause)
  if (code !== undefined && unusableCodes.test(code))
    return new StartupError('unusable', failure === error ? error.message : cause.message, { cause })
  // When every address of a host fails, Node's error has a code but no message.
  const problem =
    cause.message === 'timeout expired'
      ? `no response within ${connectTimeoutMs / 1_000} s`
      : cause.message || code
  return new StartupError('unavailable', `no connection to PostgreSQL at ${host}: ${problem}`, { cause })
}
