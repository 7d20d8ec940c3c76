import { petStatuses } from '../../../core/index.ts'
import { unavailabilities } from '../../redis.ts'
import { logFormats } from '../log/log-format.ts'
import { type CommandName, commandNames } from './commands.ts'
import { listed, planNames } from './plan-names.ts'

/** The commands that change or show keys. */
const keyCommands: readonly CommandName[] = ['keys issue', 'keys list', 'keys rotate', 'keys revoke']
/** The commands that use a storage alone. */
const storageCommands: readonly CommandName[] = [
  'keys export',
  'keys import',
  'animals show',
  'animals set',
  'animals remove',
  'export',
  'import',
  'migrate',
]

/** The value of `--status` that removes the status. */
export const noStatus = 'none'

/** A setting of the command line or the environment. */
export interface Flag {
  /** Its environment variable, if it has one. A flag on the command line wins over it. */
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
  | 'listen'
  | 'reuse-port'
  | 'base-path'
  | 'memory'
  | 'data'
  | 'postgres'
  | 'postgres-pool'
  | 'table'
  | 'drivers'
  | 'no-migrate'
  | 'wait-for-storage'
  | 'redis'
  | 'redis-down'
  | 'keys'
  | 'api-key'
  | 'trust-proxy'
  | 'cors'
  | 'no-docs'
  | 'metrics'
  | 'metrics-listen'
  | 'log'
  | 'log-address'
  | 'no-log-health'
  | 'id'
  | 'plan'
  | 'minute'
  | 'day'
  | 'expires'
  | 'label'
  | 'overlap'
  | 'hash'
  | 'name'
  | 'category'
  | 'status'
  | 'keep-ids'
  | 'json'
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
  listen: {
    env: 'PET_ADOPTION_LISTEN',
    value: 'HOST:PORT|unix:PATH',
    help: 'where to listen, in place of --host and --port: also on a Unix socket, such as unix:/run/pets/pets.sock',
    commands: ['serve'],
  },
  'reuse-port': {
    env: 'PET_ADOPTION_REUSE_PORT',
    help: 'let several processes of this machine listen on one port, which the system then shares between them; on Linux with Node 22.12 or later, or Deno',
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
    help: 'store the animals, and the keys, in this SQLite file; by default animals.sqlite where the runtime has SQLite, else memory',
    commands: ['serve', ...storageCommands, ...keyCommands],
  },
  postgres: {
    env: 'DATABASE_URL',
    value: 'URL',
    help: 'store the animals, and the keys, in this PostgreSQL database; requires the driver pg. Of several hosts, as in postgres://HOST:PORT,HOST:PORT/DATABASE, the one that accepts changes is used',
    commands: ['serve', ...storageCommands, ...keyCommands],
  },
  'postgres-pool': {
    env: 'PET_ADOPTION_POSTGRES_POOL',
    value: 'N',
    default: '10',
    help: 'the most connections to one PostgreSQL, also while it does not respond',
    commands: ['serve'],
  },
  table: {
    env: 'PET_ADOPTION_TABLE',
    value: 'NAME',
    default: 'pets',
    help: 'the table of the animals in PostgreSQL, such as pets or shelter.pets; those of the keys and of repeated creations are NAME_api_keys and NAME_creations',
    commands: ['serve', ...storageCommands, ...keyCommands],
  },
  drivers: {
    env: 'PET_ADOPTION_DRIVERS',
    value: 'FOLDER',
    help: 'load the drivers pg and redis from the node_modules of this folder; by default from next to the program. Nobody else must be able to write there',
    commands: ['serve', ...storageCommands, ...keyCommands],
  },
  'no-migrate': {
    env: 'PET_ADOPTION_NO_MIGRATE',
    help: 'do not start on a storage with an older schema, where serve would migrate it',
    commands: ['serve'],
  },
  'wait-for-storage': {
    env: 'PET_ADOPTION_WAIT_FOR_STORAGE',
    value: 'SECONDS',
    help: 'where the storage is not there at the start, listen all the same, reject requests with 503 until it is, and end with 1 after this time; by default at once',
    commands: ['serve'],
  },
  redis: {
    env: 'REDIS_URL',
    value: 'URL',
    help: 'count requests in this Redis or Valkey, which several servers share; requires the driver redis. redis://HOST:PORT, rediss:// with TLS, redis+cluster://HOST:PORT,… or redis+sentinel://HOST:PORT,…/MASTER',
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
    help: 'the JSON file of the valid keys, read again when it changes; without it and PET_ADOPTION_API_KEY, the keys of the storage, or a key that is made and shown',
    commands: ['serve', ...keyCommands],
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
  'metrics-listen': {
    env: 'PET_ADOPTION_METRICS_LISTEN',
    value: 'HOST:PORT',
    help: 'serve /metrics here alone, and not where the service listens; --metrics is not needed then',
    commands: ['serve'],
  },
  log: {
    env: 'PET_ADOPTION_LOG',
    value: logFormats.join('|'),
    choices: logFormats,
    default: 'pretty',
    help: 'the format of the log; silent leaves out all but errors',
    commands: ['serve', ...storageCommands],
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
    commands: ['keygen', 'keys issue', 'keys rotate', 'keys revoke'],
  },
  plan: {
    env: 'PET_ADOPTION_PLAN',
    value: 'PLAN',
    choices: planNames,
    help: `the key's plan: ${listed(planNames)}; with serve, the plan of its one key, business by default`,
    commands: ['serve', 'keygen', 'keys issue'],
  },
  minute: {
    env: 'PET_ADOPTION_MINUTE',
    value: 'N',
    help: 'requests per minute, with the plan enterprise',
    commands: ['serve', 'keygen', 'keys issue'],
  },
  day: {
    env: 'PET_ADOPTION_DAY',
    value: 'N',
    help: 'requests per day, with the plan enterprise',
    commands: ['serve', 'keygen', 'keys issue'],
  },
  expires: {
    value: 'DATE',
    help: 'the date, or the time with its zone, from which the key is invalid, such as 2028-01-31; never without it',
    commands: ['keys issue', 'keys rotate'],
  },
  label: { value: 'TEXT', help: 'a note that keys list shows', commands: ['keys issue'] },
  overlap: {
    value: 'TIME',
    help: 'how long the older keys stay valid: a number and s, m, h or d, such as 7d; without it they end at once',
    commands: ['keys rotate'],
  },
  hash: {
    value: 'PREFIX',
    help: 'the first digits of the SHA-256 of a key, as keys list shows them',
    commands: ['keys revoke'],
  },
  name: { value: 'TEXT', help: 'the new name of the animal', commands: ['animals set'] },
  category: { value: 'N', help: 'the id of its new category, an int64', commands: ['animals set'] },
  status: {
    value: 'STATUS',
    choices: [...petStatuses, noStatus],
    help: `its new status: ${petStatuses.join(', ')}, or ${noStatus}`,
    commands: ['animals set'],
  },
  'keep-ids': {
    help: 'store each animal under its id, and leave an absent status absent; a line without an id gets the next free one',
    commands: ['import'],
  },
  json: { help: 'print JSON', commands: [...keyCommands, 'animals show', 'animals set'] },
  help: { help: 'print this, or the help of a command after its name', commands: commandNames },
  version: { help: 'print the version', commands: commandNames },
}

/** The names of all flags, in the order of the help. */
export const flagNames: readonly FlagName[] = Object.keys(flags) as FlagName[] // the table has no other keys
