import { type Plan, petStatuses, plans } from '../../../core/index.ts'
import { unavailabilities } from '../../redis/index.ts'
import { logFormats } from '../log/log-format.ts'
import { type CommandName, commandNames } from './commands.ts'

/** The commands that accept the same flags. */
const groups: Readonly<Record<string, readonly CommandName[]>> = {
  all: commandNames,
  keys: ['keys issue', 'keys list', 'keys rotate', 'keys revoke'],
  storage: ['keys import', 'animals set', 'animals remove', 'export', 'import', 'backup', 'migrate'],
}

/** The names of all plans. */
const planNames: readonly string[] = [...Object.keys(plans), 'enterprise' satisfies Plan]

/** The values of the flags that accept no others. The status `none` takes the status away. */
const choices: Readonly<Partial<Record<string, readonly string[]>>> = {
  'redis-down': unavailabilities,
  log: logFormats,
  plan: planNames,
  status: [...petStatuses, 'none'],
}

/** A setting of the command line or the environment. */
export interface Flag {
  /** Its environment variable, if it has one. A flag on the command line wins over it. */
  readonly env?: string | undefined
  /** The placeholder of its value in the help; a flag without one is on or off. */
  readonly value?: string | undefined
  /** The only values that it accepts. */
  readonly choices?: readonly string[] | undefined
  /** What counts where none is given, for the help. */
  readonly default?: string
  /** Whether only the environment may have it: arguments show in lists of processes. */
  readonly secret?: true
  readonly help: string
  /** The commands that accept it. */
  readonly commands: readonly CommandName[]
}

/** What a row has of a flag. `commands` names commands or groups of them; a row without it is one of `serve` alone. */
type Row = Omit<Flag, 'commands'> & { readonly commands?: readonly string[] }

/** Every flag by name, in the order of the help. */
const rows = {
  host: {
    env: 'HOST',
    value: 'HOST',
    default: '127.0.0.1',
    help: 'the address or host name to listen on; 0.0.0.0 or :: for every address of this machine',
  },
  port: { env: 'PORT', value: 'PORT', default: '8080', help: 'the port to listen on; 0 for any free one' },
  listen: {
    value: 'HOST:PORT|unix:PATH',
    help: 'where to listen, in place of --host and --port: also on a Unix socket, such as unix:/run/pets/pets.sock',
  },
  'base-path': { value: 'PATH', default: '/v1', help: 'the path of the base URL' },
  memory: { help: 'store the animals in memory, and lose them when the server stops' },
  data: {
    value: 'FILE',
    commands: ['serve', 'storage', 'keys'],
    help: 'store the animals, and the keys, in this SQLite file; serve without it uses animals.sqlite where the runtime has SQLite, else memory',
  },
  postgres: {
    env: 'DATABASE_URL',
    value: 'URL',
    commands: ['serve', 'storage', 'keys'],
    help: 'store the animals, and the keys, in this PostgreSQL database; requires the driver pg',
  },
  'postgres-pool': {
    value: 'N',
    default: '10',
    help: 'the most connections to PostgreSQL, also while it does not respond',
  },
  table: {
    value: 'NAME',
    default: 'pets',
    commands: ['serve', 'storage', 'keys'],
    help: 'the table of the animals in PostgreSQL, such as pets or shelter.pets; those of the keys and of repeated creations are NAME_api_keys and NAME_creations',
  },
  'no-migrate': { help: 'do not start on a storage without its tables, where serve would create them' },
  redis: {
    env: 'REDIS_URL',
    value: 'URL',
    help: 'count requests in this Redis or Valkey, which several servers share; requires the driver ioredis. redis://HOST:PORT, rediss:// with TLS, redis+cluster://HOST:PORT,… or redis+sentinel://HOST:PORT,…/MASTER',
  },
  'redis-down': {
    default: 'local',
    help: 'while Redis is not available: local, each server counts alone; open, no request is rejected; closed, every request is, with 503',
  },
  keys: {
    value: 'FILE',
    help: 'the JSON file of the valid keys, read again when it changes; serve without it and PET_ADOPTION_API_KEY uses the keys of the storage, or makes a key and shows it',
  },
  'api-key': {
    value: 'KEY',
    secret: true,
    help: 'in the environment only: the one valid key, in place of a file; at least 20 characters',
  },
  'trust-proxy': {
    value: 'HOPS',
    help: 'the number of trusted proxies, whose X-Forwarded-For counts, or their networks, such as 10.0.0.0/8,fd00::/8; none by default',
  },
  cors: {
    value: 'ORIGINS',
    help: 'the origins whose pages may call from a browser, such as https://example.com,https://example.org; * for all',
  },
  'no-docs': { help: 'leave out the documentation page, /docs' },
  metrics: {
    help: 'serve metrics for Prometheus at /metrics; it requires no key: do not expose it to the public',
  },
  'metrics-listen': {
    value: 'HOST:PORT',
    help: 'serve /metrics here alone, and not where the service listens; --metrics is not needed then',
  },
  log: {
    default: 'pretty',
    commands: ['serve', 'storage'],
    help: 'the format of the log; silent leaves out all but errors',
  },
  'log-client-address': { help: 'add the client address to the line of each request' },
  'no-log-health': {
    help: 'leave successful requests for /healthz, /readyz, /metrics and /favicon.ico out of the log',
  },
  'no-log-requests': { help: 'log no requests; warnings and errors stay' },
  id: {
    env: 'PET_ADOPTION_ID',
    value: 'NAME',
    commands: ['keygen', 'keys issue', 'keys rotate', 'keys revoke'],
    help: 'names the caller of the key, in logs too',
  },
  plan: {
    value: 'PLAN',
    commands: ['serve', 'keygen', 'keys issue'],
    help: "the key's plan: CHOICES; with serve, the plan of its one key, business by default",
  },
  minute: {
    value: 'N',
    commands: ['serve', 'keygen', 'keys issue'],
    help: 'requests per minute, with the plan enterprise',
  },
  day: {
    value: 'N',
    commands: ['serve', 'keygen', 'keys issue'],
    help: 'requests per day, with the plan enterprise',
  },
  expires: {
    value: 'DATE',
    commands: ['keys issue', 'keys rotate'],
    help: 'the date, or the time with its zone, from which the key is invalid, such as 2028-01-31; never without it',
  },
  label: { value: 'TEXT', commands: ['keys issue'], help: 'a note that keys list shows' },
  overlap: {
    value: 'TIME',
    commands: ['keys rotate'],
    help: 'how long the older keys stay valid: a number and s, m, h or d, such as 7d; without it they end at once',
  },
  hash: {
    value: 'PREFIX',
    commands: ['keys revoke'],
    help: 'the first digits of the SHA-256 of a key, as keys list shows them',
  },
  name: { value: 'TEXT', commands: ['animals set'], help: 'the new name of the animal' },
  category: { value: 'N', commands: ['animals set'], help: 'the id of its new category, an int64' },
  status: { value: 'STATUS', commands: ['animals set'], help: 'its new status: CHOICES' },
  'keep-ids': {
    commands: ['import'],
    help: 'store each animal under its id, and leave an absent status absent; a line without an id gets the next free one',
  },
  json: { commands: ['animals set', 'keys'], help: 'print JSON' },
  help: { commands: ['all'], help: 'print this, or the help of a command after its name' },
  version: { commands: ['all'], help: 'print the version' },
} as const

export type FlagName = keyof typeof rows

/** The names of all flags, in the order of the help. */
export const flagNames: readonly FlagName[] = Object.keys(rows) as FlagName[] // the table has no other keys

/** Every flag by name. The command line, the environment, the help and the messages read this table. */
export const flags: Readonly<Record<FlagName, Flag>> = Object.fromEntries(
  flagNames.map((name) => [name, flagOf(name, rows[name])]),
) as Record<FlagName, Flag> // one for each name

/** Each flag of `serve` has a variable of its own name, unless its row names another. */
function flagOf(name: FlagName, row: Row): Flag {
  const commands = (row.commands ?? ['serve']).flatMap((word) => groups[word] ?? [word as CommandName]) // no other words
  const accepted = choices[name]
  const isOfServe = commands.includes('serve') && row.commands?.[0] !== 'all'
  return {
    env: isOfServe ? `PET_ADOPTION_${name.toUpperCase().replaceAll('-', '_')}` : undefined,
    value: accepted?.join('|'),
    ...row,
    choices: accepted,
    help: row.help.replace('CHOICES', listed(accepted ?? [])),
    commands,
  }
}

/** Returns a list in words: `free, pro, business or enterprise`. */
export function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
