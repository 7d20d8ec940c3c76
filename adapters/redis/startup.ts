import { StartupError } from '../backend/index.ts'
import { addressForms, type RedisAddress } from './address.ts'
import type { RedisConnection } from './connection.ts'

/** A script that runs every command that the limiter needs. */
const probeScript = `redis.call('TIME') redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]) or '', 'PX', '1')
return redis.call('DEL', KEYS[1])`

/** Errors that a retry cannot fix, and what to do. */
const permanentErrors: readonly (readonly [error: RegExp, advice: string])[] = [
  [/WRONGPASS|NOAUTH|invalid password/, 'check the password in the address'],
  [
    /NOPERM|ACL failure|can't run this command/,
    'grant the user +eval +evalsha +time +get +set +del ~PREFIX*',
  ],
  [
    /certificate|CERT_/i,
    'the certificate must be issued for this address; trust its authority with NODE_EXTRA_CA_CERTS=FILE',
  ],
  [/DB index/, 'use an existing database number'],
  [/cluster support disabled/, `use an address like ${addressForms.single}`],
  [/invalid reply: null/, 'the Sentinels do not know a master with this name'],
  [/unknown command/i, `use the address of a Redis server, like ${addressForms.single}`],
]

/**
 * Errors that are permanent for a single server only. With a cluster or Sentinels, they are normal during a failover.
 */
const singleServerErrors: typeof permanentErrors = [
  [
    /READONLY|is a replica/,
    `use the address of the master, or of the Sentinels like ${addressForms.sentinel}`,
  ],
  [/is a Sentinel/, `use an address like ${addressForms.sentinel}`],
  [/MOVED|in cluster mode/, `use an address like ${addressForms.cluster}`],
]

/**
 * Checks that Redis can be used. An outage is not an error, because Redis may recover.
 *
 * @throws {StartupError} If a retry cannot help.
 */
export async function checkRedis(
  connection: RedisConnection,
  address: RedisAddress,
  prefix: string,
): Promise<void> {
  try {
    await tryCommands(connection, address, prefix)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const rows = address.kind === 'single' ? [...singleServerErrors, ...permanentErrors] : permanentErrors
    const advice = rows.find(([error]) => error.test(message))?.[1].replace('PREFIX', prefix)
    if (advice) throw new StartupError('unusable', `${message}: ${advice}`, { cause })
  }
}

async function tryCommands(
  { send }: RedisConnection,
  { kind, hosts: [host], options: { db } }: RedisAddress,
  prefix: string,
): Promise<void> {
  if (kind === 'single') {
    const mismatch = explainMismatch(await readInfo(send))
    if (mismatch) throw new Error(`${host?.host}:${host?.port} ${mismatch}`)
    // If the database number is too high, the driver continues with database 0.
    if (db !== undefined) await send(['SELECT', String(db)], '')
  }
  const key = `${prefix}key:start`
  await send(['EVAL', probeScript, '1', key], key)
}

/** Returns the `maxmemory-policy` if Redis may evict keys, otherwise `undefined`. */
export async function findEvictionPolicy({ send }: RedisConnection): Promise<string | undefined> {
  const policy = readInfoField(await readInfo(send), 'maxmemory_policy')
  return policy === 'noeviction' ? undefined : policy
}

/**
 * Runs `INFO` and returns its output, or an empty string if the user is not allowed to run it. Such a user can still
 * count.
 */
async function readInfo(send: RedisConnection['send']): Promise<string> {
  return String(await send(['INFO'], '').catch(() => ''))
}

/** Returns why a single server cannot count, or `undefined` if it can. */
function explainMismatch(info: string): string | undefined {
  const mode = readInfoField(info, 'redis_mode')
  if (mode === 'cluster') return 'is in cluster mode'
  if (mode === 'sentinel') return 'is a Sentinel'
  if (readInfoField(info, 'role') !== 'slave') return undefined
  return `is a replica of ${readInfoField(info, 'master_host')}:${readInfoField(info, 'master_port')} and cannot count requests`
}

/** Reads a field from `INFO` output. */
function readInfoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
}
