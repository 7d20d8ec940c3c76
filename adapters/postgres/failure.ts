import { StoreUnavailable } from '../../core/index.ts'

/**
 * Codes of errors that pass: lost or refused connections, too few resources, a server that shuts down or starts, one
 * that has become a replica, locks and timeouts (the classes of PostgreSQL's appendix A), and those of the network.
 */
const passingCodes =
  /^(?:08|25006|40|53|55P03|57014|57P|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ENOENT)/

/** The same in the words of pg, which gives its own errors no code. */
const passingWords = /^Connection terminated|timeout exceeded|read timeout|not queryable/i

/** What to throw for an error of a client: `StoreUnavailable` for what may pass, else an error to be mended. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === '42P01')
    return new Error('the table of the animals is not there: call migrate(client) first', { cause: error })
  if (code === '' ? passingWords.test(error.message) : passingCodes.test(code))
    return new StoreUnavailable('PostgreSQL does not answer', { cause: error })
  return error
}
