/** Why Redis does not count. */
export type RedisCause =
  | 'password'
  | 'permission'
  | 'certificate'
  | 'address'
  | 'replica'
  | 'cluster'
  | 'slots'
  | 'memory'
  | 'busy'
  | 'silent'
  | 'unreachable'
  | 'other'

/** The errors of each cause. The order decides where several patterns match. */
export const redisCauses: Readonly<Record<RedisCause, RegExp>> = {
  password: /WRONGPASS|NOAUTH|\bAUTH\b|invalid password|invalid username-password/i,
  permission: /NOPERM|ACL failure|can't run this command/,
  certificate: /certificate|CERT_/,
  address: /DB index|cluster support disabled|unknown command|knows no master|is a Sentinel/i,
  replica: /READONLY|is a replica/,
  cluster: /\bMOVED\b|\bASK\b|CROSSSLOT|in cluster mode/,
  slots: /CLUSTERDOWN|TRYAGAIN|no server has the slot/,
  memory: /\bOOM\b/,
  busy: /LOADING|MASTERDOWN|\bBUSY\b|MISCONF|NOREPLICAS/,
  silent: /did not respond|queue is full|timeout/i,
  unreachable:
    /ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|offline|closed|disconnect/i,
  other: /^/,
}

const causes = Object.keys(redisCauses) as RedisCause[] // those of the object above

/** Causes that no waiting repairs: the server would count alone for ever. */
const settled: ReadonlySet<RedisCause> = new Set([
  'password',
  'permission',
  'certificate',
  'address',
  'replica',
  'cluster',
])

/** Returns the cause of an error of Redis, of its driver, or of this program. */
export function causeOf(error: unknown): RedisCause {
  const text = error instanceof Error && 'code' in error ? `${error.message} ${error.code}` : String(error)
  return causes.find((cause) => redisCauses[cause].test(text)) ?? 'other'
}

/** Whether an error is one of the configuration: of the address, of the password, or of the kind of server behind the address. */
export function isConfiguration(error: unknown): boolean {
  return settled.has(causeOf(error))
}

/** Returns an error with what to do about it, where the error itself does not say it. */
export function withAdvice(error: Error): Error {
  if (causeOf(error) !== 'certificate') return error
  const advice = 'have it issued for this address, and name its authority: NODE_EXTRA_CA_CERTS=FILE'
  return new Error(`${error.message.trim()}: ${advice}`, { cause: error })
}
