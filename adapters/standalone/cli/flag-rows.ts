import type { Plan } from '../../../core/index.ts'
import { maxRequests } from '../../../core/internal.ts'
import { type FailureMode, failureModes } from '../../redis/failure-mode.ts'
import { type LogFormatName, logFormats } from '../log/log-format.ts'
import {
  type ListenAddress,
  parseHost,
  parseListenAddress,
  parsePort,
  parseTcpAddress,
  type TcpAddress,
} from './addresses.ts'
import {
  type Parse,
  parseDuration,
  parseHash,
  parseInt64,
  parseKey,
  parseList,
  parseProxies,
  parseTable,
  parseText,
  parseTime,
  parseWhole,
  planNames,
  statusNames,
} from './values.ts'

/**
 * All flags by name, in the order that `--help` shows. {@link flags} explains the members. Setting types derive from
 * this table.
 *
 * `as` states a parser's type, because `isolatedDeclarations` cannot infer it. A wrong type does not compile.
 */
export const flagRows = {
  host: {
    parse: parseHost as Parse<string>,
    env: 'HOST',
    value: 'HOST',
    default: '127.0.0.1',
    help: 'address or host name to listen on; 0.0.0.0 or :: for all addresses',
  },
  port: {
    parse: parsePort as Parse<number>,
    env: 'PORT',
    value: 'PORT',
    default: '8080',
    help: 'port to listen on; 0 for any free port',
  },
  listen: {
    parse: parseListenAddress as Parse<ListenAddress>,
    value: 'HOST:PORT|unix:PATH',
    help: 'where to listen, instead of --host and --port; also a Unix socket, such as unix:/run/pets/pets.sock',
  },
  'base-path': {
    service: 'basePath',
    value: 'PATH',
    default: '/v1',
    help: 'base URL path',
  },
  memory: { help: 'store animals in memory; they are lost when the server stops' },
  data: {
    value: 'FILE',
    commands: ['serve', 'storage', 'keys'],
    help: 'store animals and keys in this SQLite file; without a store, serve uses animals.sqlite if the runtime has SQLite, otherwise memory',
  },
  postgres: {
    env: 'DATABASE_URL',
    value: 'URL',
    commands: ['serve', 'storage', 'keys'],
    help: 'store animals and keys in this PostgreSQL database; requires the driver pg',
  },
  'postgres-pool': {
    parse: parseWhole(3, 1_000) as Parse<number>,
    value: 'N',
    default: '10',
    help: 'maximum number of connections to PostgreSQL, even while it does not respond',
  },
  table: {
    parse: parseTable as Parse<string>,
    value: 'NAME',
    default: 'pets',
    commands: ['serve', 'storage', 'keys'],
    help: 'PostgreSQL table for animals, such as pets or shelter.pets; keys are in NAME_api_keys, and repeatable creations in NAME_creations',
  },
  'no-migrate': { help: 'do not create missing tables; fail instead' },
  redis: {
    env: 'REDIS_URL',
    value: 'URL',
    help: 'count requests in this Redis or Valkey, shared by several servers; requires the driver ioredis. redis://HOST:PORT, rediss:// with TLS, redis+cluster://HOST:PORT,… or redis+sentinel://HOST:PORT,…/MASTER',
  },
  'redis-failure-mode': {
    choices: failureModes as readonly FailureMode[],
    default: 'local',
    help: 'what happens while Redis is unavailable: with local, each server counts on its own; with open, no request is rejected; with closed, all requests are rejected with 503',
  },
  keys: {
    value: 'FILE',
    help: 'JSON file with the valid keys, reloaded when it changes; without it and PET_ADOPTION_API_KEY, serve uses the keys in the storage, or creates a key and prints it',
  },
  'api-key': {
    parse: parseKey as Parse<string>,
    value: 'KEY',
    secret: true,
    help: 'the only valid key, instead of a file; at least 20 characters; only as an environment variable',
  },
  'trust-proxy': {
    service: 'trustProxy',
    parse: parseProxies as Parse<number | readonly string[]>,
    value: 'HOPS',
    help: 'number of trusted proxies, which set X-Forwarded-For, or their networks, such as 10.0.0.0/8,fd00::/8; none by default',
  },
  cors: {
    service: 'cors',
    parse: parseList as Parse<readonly string[]>,
    value: 'ORIGINS',
    help: 'origins that may call from a browser, such as https://example.com,https://example.org; * for all',
  },
  'no-docs': { help: 'do not serve the documentation page, /docs' },
  metrics: {
    help: 'serve Prometheus metrics at /metrics, without authentication; do not expose them to the public',
  },
  'metrics-listen': {
    parse: parseTcpAddress as Parse<TcpAddress>,
    value: 'HOST:PORT',
    help: 'serve /metrics only at this address, and not where the service listens; implies --metrics',
  },
  log: {
    choices: logFormats as readonly LogFormatName[],
    default: 'pretty',
    commands: ['serve', 'storage'],
    help: 'log format; silent logs only errors',
  },
  'log-client-address': { help: 'log client addresses' },
  'no-log-health': {
    help: 'do not log successful requests for /healthz, /readyz, /metrics and /favicon.ico',
  },
  'max-connections': {
    server: 'maxConnections',
    value: 'N',
    parse: parseWhole(1, 10_000) as Parse<number>,
    help: 'maximum number of client connections; by default, as many as the open file limit allows, at most 10000',
  },
  'no-log-requests': { help: 'do not log requests, only warnings and errors' },
  id: {
    parse: parseText as Parse<string>,
    env: 'PET_ADOPTION_ID',
    value: 'NAME',
    commands: ['keygen', 'keys issue', 'keys rotate', 'keys revoke'],
    help: "the caller's name, also in logs",
  },
  plan: {
    choices: planNames as readonly Plan[],
    value: 'PLAN',
    commands: ['serve', 'keygen', 'keys issue'],
    help: "the key's plan: CHOICES; for serve, its only key has this plan (default: business)",
  },
  minute: {
    parse: parseWhole(1, maxRequests) as Parse<number>,
    value: 'N',
    commands: ['serve', 'keygen', 'keys issue'],
    help: 'requests per minute, for the enterprise plan',
  },
  day: {
    parse: parseWhole(1, maxRequests) as Parse<number>,
    value: 'N',
    commands: ['serve', 'keygen', 'keys issue'],
    help: 'requests per day, for the enterprise plan',
  },
  expires: {
    parse: parseTime as Parse<string>,
    value: 'DATE',
    commands: ['keys issue', 'keys rotate'],
    help: 'date, or time with a time zone, when the key expires, such as 2028-01-31; never by default',
  },
  label: {
    parse: parseText as Parse<string>,
    value: 'TEXT',
    commands: ['keys issue'],
    help: 'note that keys list shows',
  },
  overlap: {
    parse: parseDuration as Parse<number>,
    value: 'TIME',
    commands: ['keys rotate'],
    help: 'how long older keys stay valid: a number followed by s, m, h or d, such as 7d; by default, they expire immediately',
  },
  hash: {
    parse: parseHash as Parse<string>,
    value: 'PREFIX',
    commands: ['keys revoke'],
    help: "first digits of a key's SHA-256, as in keys list",
  },
  name: { value: 'TEXT', commands: ['animals set'], help: 'new name' },
  category: {
    parse: parseInt64 as Parse<bigint>,
    value: 'N',
    commands: ['animals set'],
    help: 'new category id (int64)',
  },
  status: {
    choices: statusNames as readonly string[],
    value: 'STATUS',
    commands: ['animals set'],
    help: 'new status: CHOICES',
  },
  'keep-ids': {
    commands: ['import'],
    help: 'store animals with the ids in the file, and leave a missing status empty; animals without an id get the next free one',
  },
  json: { commands: ['animals set', 'keys'], help: 'print JSON' },
  help: { commands: ['all'], help: 'print this help, or help for a command' },
  version: { commands: ['all'], help: 'print the version' },
} as const
