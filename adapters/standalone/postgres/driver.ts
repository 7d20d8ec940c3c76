import type pg from 'pg'
import { UsageError } from '../errors.ts'
import { loadDriver } from '../load-driver.ts'

/** The driver. This package has only its types. */
export type Pg = typeof pg

/** An address with one host, which may be empty. */
const oneHost = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^,/?#]*(?:[/?#]|$)/i

/**
 * Loads the driver for an address. Rejects with `UsageError` if it is missing or cannot read the address.
 *
 * @param source - The flag or variable that has the address.
 */
export async function loadPg(url: string, source: string): Promise<Pg> {
  // After that time the driver would abandon a write that its backend continues, and open another connection.
  if (/[?&]query_timeout=/.test(url))
    throw new UsageError(`${source} has the parameter query_timeout: remove it, the server has its own limit`)
  const { default: pg } = (await loadDriver('pg', source)) as { default: Pg } // the package of that name
  try {
    if (!oneHost.test(url)) throw new TypeError('another scheme, or several hosts')
    new pg.Client({ connectionString: url })
  } catch {
    // The message of the cause may contain the address, with its password.
    throw new UsageError(
      `${source} is not the address of a database: write postgres://USER:PASSWORD@HOST:5432/DATABASE, with one host, and special characters of the password percent-encoded`,
    )
  }
  return pg
}
