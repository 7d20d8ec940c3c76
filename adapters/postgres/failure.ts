import { StoreUnavailableError } from '../../core/index.ts'
import { isUnavailableError } from '../../core/internal.ts'

/**
 * Matches SQLSTATE codes (PostgreSQL documentation, appendix A). Codes that begin with E, such as `EPIPE`, are from
 * Node.
 */
const sqlStatePattern = /^(?!E)[0-9A-Z]{5}$/

/** SQLSTATE codes that PostgreSQL or a pooler returns when it rejects a connection. */
const rejectedConnectionCodes = /^(?:08|28|3D000|53300|55000)/

/**
 * SQLSTATE codes for failures that may pass: a server that is read-only, starts or shuts down, too few resources,
 * conflicts, locks and timeouts.
 */
const transientCodes = /^(?:25006|40|53|55P03|57014|57P)/

/** Error codes that Node uses for invalid calls. Its other codes come from the network, TLS or a driver. */
const invalidCallCodes = /^ERR_(?!SSL_|TLS_)/

/** What pg's messages mean if the error has no code. */
const driverMessages: readonly (readonly [message: RegExp, problem: string])[] = [
  [/^timeout exceeded when trying to connect/, 'no connection in the pool was free'],
  [/^Query read timeout/, 'PostgreSQL did not respond to a statement'],
  [
    /^Connection terminated|timeout expired|not queryable|SSL connection|^SASL|after calling end on/i,
    'no connection to PostgreSQL',
  ],
]

/**
 * Returns a `StoreUnavailableError` if the connection failed, if the failure may pass, or if an operator can repair it
 * by a migration or a GRANT. Otherwise returns the error itself.
 */
export function toStoreError(error: unknown): unknown {
  const problem = error instanceof Error && !isUnavailableError(error) && findProblem(error)
  return problem ? new StoreUnavailableError(problem, { cause: error }) : error
}

/** Returns the message for a `StoreUnavailableError`, or `undefined` if the error is not one. */
function findProblem(error: Error): string | undefined {
  const code = readErrorCode(error)
  if (code === undefined) {
    const [, problem] = driverMessages.find(([message]) => message.test(error.message)) ?? []
    return problem
  }
  if (!sqlStatePattern.test(code))
    return invalidCallCodes.test(code) ? undefined : 'no connection to PostgreSQL'
  if (code === '42P01') return 'a table does not exist: migrate the database'
  if (code === '42501') return `the role lacks a privilege: ${createGrant(error)}`
  if (rejectedConnectionCodes.test(code)) return 'PostgreSQL rejected the connection'
  if (code === '57014' || code === '55P03') return 'PostgreSQL canceled the statement'
  return transientCodes.test(code) ? 'PostgreSQL cannot run the statement now' : undefined
}

/** Returns the error code from PostgreSQL or Node, or `undefined` if there is none. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/**
 * Returns the GRANT statement that a permission error asks for. The object's name comes last in the message, whatever
 * its language.
 */
function createGrant({ message }: Error): string {
  const [, object = 'the animal tables'] = /([\w.]+)\W*$/.exec(message) ?? []
  return object.endsWith('_seq')
    ? `GRANT USAGE, UPDATE ON SEQUENCE ${object} TO <role> (UPDATE is only for import --keep-ids)`
    : `GRANT SELECT, INSERT, UPDATE, DELETE ON ${object} TO <role>`
}
