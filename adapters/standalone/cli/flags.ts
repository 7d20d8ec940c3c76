import type { Plan, ServiceOptions } from '../../../core/index.ts'
import { maxRequests } from '../../../core/internal.ts'
import type { PetServerOptions } from '../../node-http/index.ts'
import { type Unavailability, unavailabilities } from '../../redis/index.ts'
import { UsageError } from '../errors.ts'
import { type LogFormatName, logFormats } from '../log/log-format.ts'
import {
  type ListenAddress,
  parseHost,
  parseListenAddress,
  parsePort,
  parseTcpAddress,
  type TcpAddress,
} from './addresses.ts'
import { type CommandName, commandNames } from './commands.ts'
import {
  type Parse,
  parseAsIs,
  parseDuration,
  parseHash,
  parseInt64,
  parseKey,
  parseList,
  parseProxies,
  parseServiceOption,
  parseTable,
  parseText,
  parseTime,
  parseWhole,
  planNames,
  type Setting,
  statusNames,
} from './values.ts'

/** The commands that accept the same flags. */
const groups = {
  keys: ['keys issue', 'keys list', 'keys rotate', 'keys revoke'],
  storage: ['keys import', 'animals set', 'animals remove', 'export', 'import', 'backup', 'migrate'],
} as const

type Groups = typeof groups

/** The members of every row. */
interface BaseRow<Word> {
  /** Its environment variable. By default, a flag of `serve` has one of its own name. A flag takes precedence. */
  readonly env?: string
  /** The placeholder of its value in the help. */
  readonly value?: string
  /** The only values that it accepts. */
  readonly choices?: readonly string[]
  /** The default, for the help. */
  readonly default?: string
  /** Only the environment may have it: arguments show in lists of processes. */
  readonly secret?: true
  readonly help: string
  /** The commands that accept it, or groups of them; `serve` by default. */
  readonly commands?: readonly Word[]
}

/** The row of a flag with a value of a type, for some commands. A flag without a parser is on or off. */
type Row<Value, Word = 'serve'> = BaseRow<Word> & {
  readonly service?: never
  readonly server?: never
  readonly parse?: Parse<Value>
} & ([Value] extends [true] ? unknown : { readonly parse: Parse<Value> })

/** The row of a flag whose value becomes an option of the service, and of its description, without further code. */
interface ServiceRow<Option extends keyof ServiceOptions> extends BaseRow<'serve'> {
  readonly service: Option
  readonly server?: never
  readonly parse: Parse<NonNullable<ServiceOptions[Option]>>
}

/** The row of a flag whose value becomes an option of `createPetServer`, without further code. */
interface ServerRow<Option extends keyof PetServerOptions> extends BaseRow<'serve'> {
  readonly service?: never
  readonly server: Option
  readonly parse: Parse<NonNullable<PetServerOptions[Option]>>
}

type NewKeyWord = 'keygen' | 'keys issue' | 'keys rotate' | 'keys revoke'

/** Every flag, with the type of its value and the commands that accept it. */
interface Rows {
  readonly host: Row<string>
  readonly port: Row<number>
  readonly listen: Row<ListenAddress>
  readonly 'base-path': ServiceRow<'basePath'>
  readonly memory: Row<true>
  readonly data: Row<string, 'serve' | keyof Groups>
  readonly postgres: Row<string, 'serve' | keyof Groups>
  readonly 'postgres-pool': Row<number>
  readonly table: Row<string, 'serve' | keyof Groups>
  readonly 'no-migrate': Row<true>
  readonly redis: Row<string>
  readonly 'redis-down': Row<Unavailability>
  readonly keys: Row<string>
  readonly 'api-key': Row<string>
  readonly 'trust-proxy': ServiceRow<'trustProxy'>
  readonly cors: ServiceRow<'cors'>
  readonly 'no-docs': Row<true>
  readonly metrics: Row<true>
  readonly 'metrics-listen': Row<TcpAddress>
  readonly 'max-connections': ServerRow<'maxConnections'>
  readonly log: Row<LogFormatName, 'serve' | 'storage'>
  readonly 'log-client-address': Row<true>
  readonly 'no-log-health': Row<true>
  readonly 'no-log-requests': Row<true>
  readonly id: Row<string, NewKeyWord>
  readonly plan: Row<Plan, 'serve' | 'keygen' | 'keys issue'>
  readonly minute: Row<number, 'serve' | 'keygen' | 'keys issue'>
  readonly day: Row<number, 'serve' | 'keygen' | 'keys issue'>
  readonly expires: Row<string, 'keys issue' | 'keys rotate'>
  readonly label: Row<string, 'keys issue'>
  readonly overlap: Row<number, 'keys rotate'>
  readonly hash: Row<string, 'keys revoke'>
  readonly name: Row<string, 'animals set'>
  readonly category: Row<bigint, 'animals set'>
  readonly status: Row<string, 'animals set'>
  readonly 'keep-ids': Row<true, 'import'>
  readonly json: Row<true, 'animals set' | 'keys'>
  readonly help: Row<true, 'all'>
  readonly version: Row<true, 'all'>
}

/** Returns the choices of a row, and their parser. */
function choice<Word extends string>(
  choices: readonly Word[],
): { readonly choices: readonly Word[]; readonly parse: Parse<Word> } {
  return {
    choices,
    parse({ value, source }: Setting): Word {
      const word = choices.find((one) => one === value)
      if (word === undefined) throw new UsageError(`${source} must be one of ${choices.join(', ')}`)
      return word
    },
  }
}

/** Every flag by name, in the order of the help. */
const rows: Rows = {
  host: {
    parse: parseHost,
    env: 'HOST',
    value: 'HOST',
    default: '127.0.0.1',
    help: 'the address or host name to listen on; 0.0.0.0 or :: for every address of this machine',
  },
  port: {
    parse: parsePort,
    env: 'PORT',
    value: 'PORT',
    default: '8080',
    help: 'the port to listen on; 0 for any free one',
  },
  listen: {
    parse: parseListenAddress,
    value: 'HOST:PORT|unix:PATH',
    help: 'where to listen, instead of --host and --port: also on a Unix socket, such as unix:/run/pets/pets.sock',
  },
  'base-path': {
    service: 'basePath',
    parse: parseServiceOption('basePath', parseAsIs),
    value: 'PATH',
    default: '/v1',
    help: 'the path of the base URL',
  },
  memory: { help: 'store the animals in memory, and lose them when the server stops' },
  data: {
    parse: parseAsIs,
    value: 'FILE',
    commands: ['serve', 'storage', 'keys'],
    help: 'store the animals, and the keys, in this SQLite file; serve without it uses animals.sqlite where the runtime has SQLite, else memory',
  },
  postgres: {
    parse: parseAsIs,
    env: 'DATABASE_URL',
    value: 'URL',
    commands: ['serve', 'storage', 'keys'],
    help: 'store the animals, and the keys, in this PostgreSQL database; requires the driver pg',
  },
  'postgres-pool': {
    parse: parseWhole(3, 1_000),
    value: 'N',
    default: '10',
    help: 'the most connections to PostgreSQL, also while it does not respond',
  },
  table: {
    parse: parseTable,
    value: 'NAME',
    default: 'pets',
    commands: ['serve', 'storage', 'keys'],
    help: 'the table of the animals in PostgreSQL, such as pets or shelter.pets; those of the keys and of repeated creations are NAME_api_keys and NAME_creations',
  },
  'no-migrate': { help: 'do not start on a storage without its tables, where serve would create them' },
  redis: {
    parse: parseAsIs,
    env: 'REDIS_URL',
    value: 'URL',
    help: 'count requests in this Redis or Valkey, which several servers share; requires the driver ioredis. redis://HOST:PORT, rediss:// with TLS, redis+cluster://HOST:PORT,… or redis+sentinel://HOST:PORT,…/MASTER',
  },
  'redis-down': {
    ...choice(unavailabilities),
    default: 'local',
    help: 'while Redis is not available: local, each server counts alone; open, no request is rejected; closed, every request is, with 503',
  },
  keys: {
    parse: parseAsIs,
    value: 'FILE',
    help: 'the JSON file of the valid keys, read again when it changes; serve without it and PET_ADOPTION_API_KEY uses the keys of the storage, or makes a key and shows it',
  },
  'api-key': {
    parse: parseKey,
    value: 'KEY',
    secret: true,
    help: 'in the environment only: the one valid key, instead of a file; at least 20 characters',
  },
  'trust-proxy': {
    service: 'trustProxy',
    parse: parseServiceOption('trustProxy', parseProxies),
    value: 'HOPS',
    help: 'the number of trusted proxies, whose X-Forwarded-For counts, or their networks, such as 10.0.0.0/8,fd00::/8; none by default',
  },
  cors: {
    service: 'cors',
    parse: parseServiceOption('cors', parseList),
    value: 'ORIGINS',
    help: 'the origins whose pages may call from a browser, such as https://example.com,https://example.org; * for all',
  },
  'no-docs': { help: 'leave out the documentation page, /docs' },
  metrics: {
    help: 'serve metrics for Prometheus at /metrics; it requires no key: do not expose it to the public',
  },
  'metrics-listen': {
    parse: parseTcpAddress,
    value: 'HOST:PORT',
    help: 'serve /metrics here alone, and not where the service listens; --metrics is not needed then',
  },
  log: {
    ...choice(logFormats),
    default: 'pretty',
    commands: ['serve', 'storage'],
    help: 'the format of the log; silent leaves out all but errors',
  },
  'log-client-address': { help: 'add the client address to the line of each request' },
  'no-log-health': {
    help: 'leave successful requests for /healthz, /readyz, /metrics and /favicon.ico out of the log',
  },
  'max-connections': {
    server: 'maxConnections',
    value: 'N',
    parse: parseWhole(1, 10_000),
    help: 'the most open connections of clients; by default as many as the limit of open files allows, at most 10000',
  },
  'no-log-requests': { help: 'log no requests; warnings and errors stay' },
  id: {
    parse: parseText,
    env: 'PET_ADOPTION_ID',
    value: 'NAME',
    commands: ['keygen', 'keys issue', 'keys rotate', 'keys revoke'],
    help: 'names the caller of the key, in logs too',
  },
  plan: {
    ...choice(planNames),
    value: 'PLAN',
    commands: ['serve', 'keygen', 'keys issue'],
    help: "the key's plan: CHOICES; with serve, the plan of its one key, business by default",
  },
  minute: {
    parse: parseWhole(1, maxRequests),
    value: 'N',
    commands: ['serve', 'keygen', 'keys issue'],
    help: 'requests per minute, with the plan enterprise',
  },
  day: {
    parse: parseWhole(1, maxRequests),
    value: 'N',
    commands: ['serve', 'keygen', 'keys issue'],
    help: 'requests per day, with the plan enterprise',
  },
  expires: {
    parse: parseTime,
    value: 'DATE',
    commands: ['keys issue', 'keys rotate'],
    help: 'the date, or the time with its zone, from which the key is invalid, such as 2028-01-31; never without it',
  },
  label: { parse: parseText, value: 'TEXT', commands: ['keys issue'], help: 'a note that keys list shows' },
  overlap: {
    parse: parseDuration,
    value: 'TIME',
    commands: ['keys rotate'],
    help: 'how long the older keys stay valid: a number and s, m, h or d, such as 7d; without it they end immediately',
  },
  hash: {
    parse: parseHash,
    value: 'PREFIX',
    commands: ['keys revoke'],
    help: 'the first digits of the SHA-256 of a key, as keys list shows them',
  },
  name: { parse: parseAsIs, value: 'TEXT', commands: ['animals set'], help: 'the new name of the animal' },
  category: {
    parse: parseInt64,
    value: 'N',
    commands: ['animals set'],
    help: 'the id of its new category, an int64',
  },
  status: {
    ...choice(statusNames),
    value: 'STATUS',
    commands: ['animals set'],
    help: 'its new status: CHOICES',
  },
  'keep-ids': {
    commands: ['import'],
    help: 'store each animal under its id, and leave an absent status absent; a line without an id gets the next free one',
  },
  json: { commands: ['animals set', 'keys'], help: 'print JSON' },
  help: { commands: ['all'], help: 'print this, or the help of a command after its name' },
  version: { commands: ['all'], help: 'print the version' },
}

export type FlagName = keyof Rows

/** The type of the value of a flag; `true` for one that is on. */
export type ValueOf<Name extends FlagName> = Rows[Name] extends { readonly parse?: Parse<infer Value> }
  ? Value
  : never

/** The options of the service that flags set. */
export type ServiceOption = Exclude<Rows[FlagName]['service'], undefined>

/** The options of `createPetServer` that flags set. */
export type ServerOption = Exclude<Rows[FlagName]['server'], undefined>

type WordOf<Name extends FlagName> = Rows[Name] extends { readonly commands?: readonly (infer Word)[] }
  ? Word
  : never

/** The commands that must read a flag: every command that accepts it, unless it sets an option. */
export type CommandOf<Name extends FlagName> = Rows[Name] extends
  | { readonly service: unknown }
  | { readonly server: unknown }
  ? never
  : WordOf<Name> extends infer Word
    ? Word extends keyof Groups
      ? Groups[Word][number]
      : Word
    : never

/** The names of all flags, in the order of the help. */
export const flagNames: readonly FlagName[] = Object.keys(rows) as FlagName[] // the table has no other keys

/** A flag of the command line, with the defaults of its row. */
export interface Flag extends Omit<BaseRow<never>, 'env' | 'commands'> {
  readonly env: string | undefined
  readonly commands: readonly CommandName[]
  /** Parses its value; absent if the flag is on or off. */
  readonly parse?: Parse<unknown>
  /** The option of the service that it sets. */
  readonly service?: keyof ServiceOptions
  /** The option of `createPetServer` that it sets. */
  readonly server?: keyof PetServerOptions
}

/** Every flag by name. The command line, the environment, the help, the messages and the reference read this table. */
export const flags: Readonly<Record<FlagName, Flag>> = Object.fromEntries(
  flagNames.map((name) => [name, createFlag(name, rows[name])]),
) as Record<FlagName, Flag> // one for each name

function createFlag(name: FlagName, { commands, ...row }: Rows[FlagName]): Flag {
  const words: readonly string[] = commands ?? ['serve']
  const accepting = words.flatMap(
    (word) =>
      word === 'all'
        ? commandNames
        : word === 'keys' || word === 'storage'
          ? groups[word]
          : [word as CommandName], // no other words
  )
  const hasVariable = accepting.includes('serve') && words[0] !== 'all'
  const { choices } = row
  return {
    ...row,
    env: row.env ?? (hasVariable ? `PET_ADOPTION_${name.toUpperCase().replaceAll('-', '_')}` : undefined),
    ...(choices && {
      value: row.value ?? choices.join('|'),
      help: row.help.replace('CHOICES', listWords(choices)),
    }),
    commands: accepting,
  }
}

/** Returns a list in words: `free, pro, business or enterprise`. */
export function listWords(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
