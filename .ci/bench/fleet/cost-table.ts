import type { FleetFigures, KeysFile, Stock } from './figures.ts'
import { table } from './markdown.ts'
import { operations } from './operations.ts'
import { sizes } from './world.ts'

/** Returns the table of what one request costs each part. */
export function costTable({ cells }: FleetFigures): string {
  const rows = cells.map((cell) => [
    operations[cell.operation].title,
    cell.size.toLocaleString('en'),
    cell.servers,
    cell.serverMicros,
    cell.redisMicros,
    cell.postgresMicros,
    cell.redisCalls,
    cell.statements,
    cell.walBytes.toLocaleString('en'),
    cell.responseBytes.toLocaleString('en'),
  ])
  const head = [
    'One request',
    'Keys and animals',
    'Servers',
    'Server, µs',
    'Redis, µs',
    'PostgreSQL, µs',
    'Redis calls',
    'Statements',
    'WAL, bytes',
    'Response, bytes',
  ]
  return table(head, rows)
}

/** How often the keys are counted: by each server once a minute at most. */
const counts = { servers: 100, everySeconds: 60 } as const

/** Returns the table of what keys and animals take besides. */
export function stockTable({ stocks, keysFile }: Pick<FleetFigures, 'stocks' | 'keysFile'>): string {
  const rows: readonly (readonly [string, (stock: Stock) => string, ((file: KeysFile) => string)?])[] = [
    ['a server listens after', ({ startMs }) => `${startMs} ms`, ({ startMs }) => `${startMs} ms`],
    ['memory of a server', ({ serverMiB }) => `${serverMiB} MiB`, ({ serverMiB }) => `${serverMiB} MiB`],
    ['keys, with their indexes', ({ keysMiB }) => `${keysMiB} MiB`, ({ fileMiB }) => `${fileMiB} MiB`],
    ['animals, with their indexes', ({ animalsMiB }) => `${animalsMiB} MiB`],
    ['Redis, for each key that is counted', ({ redisBytesPerKey }) => `${redisBytesPerKey} bytes`],
    ['PostgreSQL counts the keys for `/metrics` in', ({ countMs }) => `${countMs} ms`],
    [
      `cores for these counts, with ${counts.servers} servers and one a minute for each`,
      ({ countMs }) => ((countMs / 1_000) * (counts.servers / counts.everySeconds)).toFixed(2),
    ],
  ]
  const head = [
    '',
    ...sizes.map((size) => `${size.toLocaleString('en')} keys and animals in PostgreSQL`),
    `${keysFile.keys.toLocaleString('en')} keys in a file`,
  ]
  return table(
    head,
    rows.map(([title, ofStock, ofFile]) => [title, ...stocks.map(ofStock), ofFile?.(keysFile) ?? '']),
  )
}
