import { StoreUnavailable } from '../../core/index.ts'
import { isUnavailable } from '../../core/internal.ts'

/** A code of PostgreSQL (appendix A). The codes of Node begin with E. */
const sqlState = /^(?!E)[0-9A-Z]{5}$/

/** Codes of connections that PostgreSQL or a pooler rejects. */
const rejectedConnection = /^(?:08|28|3D000|53300|55000)/

/**
 * Other codes of transient errors: a server that is read-only, shuts down or starts, too few resources, conflicts of
 * transactions, locks and timeouts.
 */
const transient = /^(?:25006|40|53|55P03|57014|57P)/

/** Codes of Node for an invalid call. Its other codes come from the network, TLS or a driver. */
const invalidCall = /^ERR_(?!SSL_|TLS_)/

/** The messages of pg about a connection, which have no code. */
const connectionMessage =
  /^Connection terminated|timeout exceeded|read timeout|not queryable|SSL connection|^SASL/i

/**
 * Returns the error to throw for an error of a client. It is a `StoreUnavailable` if the connection failed, if the error
 * is transient, or if an operator can create a missing table or grant a privilege; otherwise it is the error itself.
 */
export function toFailure(error: unknown): unknown {
  const problem = error instanceof Error && !isUnavailable(error) && findProblem(error)
  return problem ? new StoreUnavailable(problem, { cause: error }) : error
}

/** Returns the message of the `StoreUnavailable` for an error; undefined if there is none. */
function findProblem(error: Error): string | undefined {
  const code = readCode(error)
  if (code === undefined)
    return connectionMessage.test(error.message) ? 'no connection to PostgreSQL' : undefined
  if (!sqlState.test(code)) return invalidCall.test(code) ? undefined : 'no connection to PostgreSQL'
  if (code === '42P01') return 'a table of the animals does not exist: migrate the database'
  if (code === '42501') return `the role lacks a privilege: ${grantFor(error)}`
  if (rejectedConnection.test(code)) return 'PostgreSQL rejects the connection'
  return transient.test(code) ? 'PostgreSQL cannot run the statement now' : undefined
}

/** Returns the code of an error, of PostgreSQL or of Node; undefined if it has none. */
export function readCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/**
 * Returns the statement that grants the missing privilege. The message of the error ends in the name of the object, in
 * every language of the server.
 */
function grantFor({ message }: Error): string {
  const [, object = 'the tables of the animals'] = /([\w.]+)\W*$/.exec(message) ?? []
  return object.endsWith('_seq')
    ? `GRANT USAGE, UPDATE ON SEQUENCE ${object} TO its name (UPDATE is for import --keep-ids)`
    : `GRANT SELECT, INSERT, UPDATE, DELETE ON ${object} TO its name`
}
