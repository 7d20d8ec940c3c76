import { StartupError } from '../backend/index.ts'
import type { PgClient, PostgresDriver } from './driver.ts'

/** Matches a PostgreSQL URL with at most one host. */
const singleHostUrl = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^,/?#]*(?:[/?#]|$)/i

/**
 * Validates a database URL and returns its host and port, separated by a colon.
 *
 * @throws {StartupError} If the URL is malformed, names several hosts or has the parameter `query_timeout`, or if it
 * names a certificate file that cannot be read. The message does not contain the URL, which may include a password.
 */
export function readHost({ Client }: PostgresDriver, url: string): string {
  // With `query_timeout`, pg would abandon a slow write and open another connection, while PostgreSQL continues the
  // write.
  if (/[?&]query_timeout=/.test(url))
    throw new StartupError(
      'invalid_address',
      'options.url has the parameter query_timeout: remove it, because each statement has its own time limit',
    )
  if (!singleHostUrl.test(url)) throw createAddressError()
  let client: PgClient
  try {
    client = new Client({ connectionString: url })
  } catch (cause) {
    // pg reads certificate files when the client is created.
    if (cause instanceof Error && 'path' in cause)
      throw new StartupError('unusable', `options.url names a file that cannot be read: ${cause.message}`, {
        cause,
      })
    throw createAddressError()
  }
  return `${client.host}:${client.port}`
}

function createAddressError(): StartupError {
  return new StartupError(
    'invalid_address',
    'options.url is not a database URL: write postgres://USER:PASSWORD@HOST:5432/DATABASE, with one host, and with special characters in the password percent-encoded',
  )
}
