import { StoreUnavailable } from '../../core/index.ts'

/**
 * Codes of errors that may pass: lost or rejected connections, too few resources, a server that shuts down or starts or
 * has become a replica, locks and timeouts (the classes of PostgreSQL's appendix A), errors of the network, and those
 * of the package postgres: CONNECTION_CLOSED, CONNECTION_DESTROYED, CONNECTION_ENDED, CONNECT_TIMEOUT.
 */
const passingCodes =
  /^(?:08|25006|40|53|55P03|57014|57P|CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ENOENT)/

/** The codes with which PostgreSQL has responded, unlike those of the network. */
const sqlState = /^\d[0-9A-Z]{4}$/

/** The messages of such errors of pg, which have no code. */
const passingMessages = /^Connection terminated|timeout exceeded|read timeout|not queryable/i

/**
 * What to throw for an error of a client: `StoreUnavailable` for one that passes by itself or once an operator has
 * created a table or granted a privilege, else the error itself.
 */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === '42P01')
    return new StoreUnavailable('a table of the animals does not exist: migrate the database', {
      cause: error,
    })
  if (code === '42501')
    return new StoreUnavailable(`the role lacks a privilege: ${grantFor(error)}`, { cause: error })
  if ('code' in error ? passingCodes.test(code) : passingMessages.test(error.message)) {
    const problem = sqlState.test(code) ? 'PostgreSQL cannot do it now' : 'PostgreSQL does not respond'
    return new StoreUnavailable(problem, { cause: error })
  }
  return error
}

/**
 * Returns the statement that grants what is missing. Whatever the language of the server, its message ends in the name
 * of the object.
 */
function grantFor({ message }: Error): string {
  const [, object = 'the tables of the animals'] = /([\w.]+)\W*$/.exec(message) ?? []
  return object.endsWith('_seq')
    ? `GRANT USAGE, UPDATE ON SEQUENCE ${object} TO its name (UPDATE is for import --keep-ids)`
    : `GRANT SELECT, INSERT, UPDATE, DELETE ON ${object} TO its name`
}
