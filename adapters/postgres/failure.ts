import { StoreUnavailable } from '../../core/index.ts'

/**
 * Codes of errors that may pass: lost or rejected connections, too few resources, a server that shuts down or starts or has
 * become a replica, locks and timeouts (the classes of PostgreSQL's appendix A), and errors of the network.
 */
const passingCodes =
  /^(?:08|25006|40|53|55P03|57014|57P|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ENOENT)/

/** The messages of such errors of pg, which have no code. */
const passingMessages = /^Connection terminated|timeout exceeded|read timeout|not queryable/i

/** What to throw for an error of a client: `StoreUnavailable` for one that may pass, else an error that names what to do, or the error itself. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === '42P01')
    return new Error('a table of the animals does not exist: call migrate(client) first', { cause: error })
  if (code === '42501')
    return new Error(
      'the role lacks a privilege: grant it SELECT, INSERT, UPDATE and DELETE on the tables of the animals, and USAGE on the sequence of their ids',
      { cause: error },
    )
  if (code === '' ? passingMessages.test(error.message) : passingCodes.test(code))
    return new StoreUnavailable('PostgreSQL does not respond', { cause: error })
  return error
}
