import { plans } from '../../../core/index.ts'
import { unavailabilities } from '../../redis.ts'
import { logFormats } from '../log/log-format.ts'

export type CommandName = 'serve' | 'keygen' | 'import'

export const commandNames: readonly CommandName[] = ['serve', 'keygen', 'import']

/** What a command takes behind its name; a command that is not here takes flags only. */
export const operands: Readonly<Partial<Record<CommandName, string>>> = { import: 'ANIMALS.ndjson' }

/** One thing that can be set, on the command line or in the environment. */
export interface Flag {
  /** Its environment variable. A flag on the command line wins over it. */
  readonly env?: string
  /** What stands for its value in the help; a flag without one is on or off. */
  readonly value?: string
  /** The values that it takes, where it does not take any. */
  readonly choices?: readonly string[]
  /** What holds where nothing is given. */
  readonly default?: string
  /** Only the environment may hold it: arguments show in lists of processes. */
  readonly secret?: true
  readonly help: string
  /** The commands that it belongs to. */
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
  | 'id'
  | 'plan'
  | 'minute'
  | 'day'
  | 'help'
  | 'version'

/** Every flag by its name: the command line, the environment, the help and the messages read this table. */
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
    help: 'keep the animals in memory, and lose them when the server stops',
    commands: ['serve'],
  },
  data: {
    env: 'PET_ADOPTION_DATA',
    value: 'FILE',
    help: 'keep the animals in this SQLite file; animals.sqlite where nothing else is asked for and the runtime has SQLite, else they are kept in memory',
    commands: ['serve', 'import'],
  },
  postgres: {
    env: 'DATABASE_URL',
    value: 'URL',
    help: 'keep the animals in this PostgreSQL database; needs the driver pg',
    commands: ['serve', 'import'],
  },
  redis: {
    env: 'REDIS_URL',
    value: 'URL',
    help: 'count requests in this Redis or Valkey, which several servers share; needs the driver redis',
    commands: ['serve'],
  },
  'redis-down': {
    env: 'PET_ADOPTION_REDIS_DOWN',
    value: unavailabilities.join('|'),
    choices: unavailabilities,
    default: 'local',
    help: 'while Redis does not answer: local, each server counts alone; open, nobody is refused; closed, everybody is, with 503',
    commands: ['serve'],
  },
  keys: {
    env: 'PET_ADOPTION_KEYS',
    value: 'FILE',
    help: 'the JSON file of the keys that are let in, read again on SIGHUP; without it or PET_ADOPTION_API_KEY, a key is made and shown',
    commands: ['serve'],
  },
  'api-key': {
    env: 'PET_ADOPTION_API_KEY',
    value: 'KEY',
    secret: true,
    help: 'the one key that is let in, in place of a file; at least 20 characters',
    commands: ['serve'],
  },
  'trust-proxy': {
    env: 'PET_ADOPTION_TRUST_PROXY',
    value: 'HOPS',
    default: '0',
    help: 'how many proxies in front are believed in X-Forwarded-For, or their networks, such as 10.0.0.0/8,fd00::/8',
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
    help: 'show what Prometheus watches, at /metrics; it takes no key: keep strangers from it',
    commands: ['serve'],
  },
  log: {
    env: 'PET_ADOPTION_LOG',
    value: logFormats.join('|'),
    choices: logFormats,
    default: 'pretty',
    help: 'how to log; silent leaves out all but errors',
    commands: ['serve', 'import'],
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
    choices: [...Object.keys(plans), 'enterprise'],
    help: "the key's plan: free, pro, business or enterprise; serve takes it for its one key, business by default",
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
