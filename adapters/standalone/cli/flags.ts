import { unavailabilities } from '../../redis.ts'
import { logFormats } from '../log/log-format.ts'
import { listed, planNames } from './plan-names.ts'

export type CommandName = 'serve' | 'keygen' | 'import'

export const commandNames: readonly CommandName[] = ['serve', 'keygen', 'import']

/** The argument that a command requires after its name; a command that is not here accepts flags only. */
export const operands: Readonly<Partial<Record<CommandName, string>>> = { import: 'ANIMALS.ndjson' }

/** A setting of the command line or the environment. */
export interface Flag {
  /** Its environment variable. A flag on the command line wins over it. */
  readonly env?: string
  /** The placeholder of its value in the help; a flag without one is on or off. */
  readonly value?: string
  /** The only values that it accepts. */
  readonly choices?: readonly string[]
  /** Its value where none is given. */
  readonly default?: string
  /** Whether only the environment may have it: arguments show in lists of processes. */
  readonly secret?: true
  readonly help: string
  /** The commands that accept it. */
  readonly commands: readonly CommandName[]
}

export type FlagName =
  | 'host'
  | 'port'
  | 'base-path'
  | 'memory'
  | 'data'
  | 'postgres'
  | 'redis'
  | 'redis-down'
  | 'keys'
  | 'api-key'
  | 'trust-proxy'
  | 'cors'
  | 'no-docs'
  | 'metrics'
  | 'log'
  | 'log-address'
  | 'no-log-health'
  | 'id'
  | 'plan'
  | 'minute'
  | 'day'
  | 'help'
  | 'version'

/** Every flag by name. The command line, the environment, the help and the messages read this table. */
export const flags: Readonly<Record<FlagName, Flag>> = {
  host: {
    env: 'HOST',
    value: 'HOST',
    default: '127.0.0.1',
    help: 'the address or host name to listen on; 0.0.0.0 or :: for every address of this machine',
    commands: ['serve'],
  },
  port: {
    env: 'PORT',
    value: 'PORT',
    default: '8080',
    help: 'the port to listen on; 0 for any free one',
    commands: ['serve'],
  },
  'base-path': {
    env: 'PET_ADOPTION_BASE_PATH',
    value: 'PATH',
    default: '/v1',
    help: 'the path of the base address',
    commands: ['serve'],
  },
  memory: {
    env: 'PET_ADOPTION_MEMORY',
    help: 'store the animals in memory, and lose them when the server stops',
    commands: ['serve'],
  },
  data: {
    env: 'PET_ADOPTION_DATA',
    value: 'FILE',
    help: 'store the animals in this SQLite file; by default animals.sqlite where the runtime has SQLite, else memory',
    commands: ['serve', 'import'],
  },
  postgres: {
    env: 'DATABASE_URL',
    value: 'URL',
    help: 'store the animals in this PostgreSQL database; requires the driver pg',
    commands: ['serve', 'import'],
  },
  redis: {
    env: 'REDIS_URL',
    value: 'URL',
    help: 'count requests in this Redis or Valkey, which several servers share; requires the driver redis',
    commands: ['serve'],
  },
  'redis-down': {
    env: 'PET_ADOPTION_REDIS_DOWN',
    value: unavailabilities.join('|'),
    choices: unavailabilities,
    default: 'local',
    help: 'while Redis is not available: local, each server counts alone; open, no request is rejected; closed, every request is, with 503',
    commands: ['serve'],
  },
  keys: {
    env: 'PET_ADOPTION_KEYS',
    value: 'FILE',
    help: 'the JSON file of the valid keys, read again on SIGHUP; without it and PET_ADOPTION_API_KEY, a key is made and shown',
    commands: ['serve'],
  },
  'api-key': {
    env: 'PET_ADOPTION_API_KEY',
    value: 'KEY',
    secret: true,
    help: 'the one valid key, in place of a file; at least 20 characters',
    commands: ['serve'],
  },
  'trust-proxy': {
    env: 'PET_ADOPTION_TRUST_PROXY',
    value: 'HOPS',
    default: '0',
    help: 'the number of trusted proxies, whose X-Forwarded-For counts, or their networks, such as 10.0.0.0/8,fd00::/8',
    commands: ['serve'],
  },
  cors: {
    env: 'PET_ADOPTION_CORS',
    value: 'ORIGINS',
    help: 'the origins whose pages may call from a browser, such as https://example.com,https://example.org; * for all',
    commands: ['serve'],
  },
  'no-docs': {
    env: 'PET_ADOPTION_NO_DOCS',
    help: 'leave out the documentation page, /docs',
    commands: ['serve'],
  },
  metrics: {
    env: 'PET_ADOPTION_METRICS',
    help: 'serve metrics for Prometheus at /metrics; it requires no key: do not expose it to the public',
    commands: ['serve'],
  },
  log: {
    env: 'PET_ADOPTION_LOG',
    value: logFormats.join('|'),
    choices: logFormats,
    default: 'pretty',
    help: 'the format of the log; silent leaves out all but errors',
    commands: ['serve', 'import'],
  },
  'log-address': {
    env: 'PET_ADOPTION_LOG_ADDRESS',
    help: 'add the client address to the line of each request',
    commands: ['serve'],
  },
  'no-log-health': {
    env: 'PET_ADOPTION_NO_LOG_HEALTH',
    help: 'leave successful health checks out of the log',
    commands: ['serve'],
  },
  id: {
    env: 'PET_ADOPTION_ID',
    value: 'NAME',
    help: "names the key's holder, in logs too",
    commands: ['keygen'],
  },
  plan: {
    env: 'PET_ADOPTION_PLAN',
    value: 'PLAN',
    choices: planNames,
    help: `the key's plan: ${listed(planNames)}; with serve, the plan of its one key, business by default`,
    commands: ['serve', 'keygen'],
  },
  minute: {
    env: 'PET_ADOPTION_MINUTE',
    value: 'N',
    help: 'requests per minute, with the plan enterprise',
    commands: ['serve', 'keygen'],
  },
  day: {
    env: 'PET_ADOPTION_DAY',
    value: 'N',
    help: 'requests per day, with the plan enterprise',
    commands: ['serve', 'keygen'],
  },
  help: { help: 'print this', commands: commandNames },
  version: { help: 'print the version', commands: commandNames },
}

/** The names of all flags, in the order of the help. */
export const flagNames: readonly FlagName[] = Object.keys(flags) as FlagName[] // the table has no other keys
