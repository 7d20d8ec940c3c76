import type { RowId } from './measure.ts'
import type { RuntimeId } from './programs.ts'

/** A trick for speed. `ablations/NAME.patch` puts the plain form in its place. */
export interface Ablation {
  /** The trick, and after a semicolon its plain form. */
  readonly trick: string
  /** The bound that it keeps, whatever it buys. */
  readonly bound?: string
  readonly rows: readonly RowId[]
  /** The runtimes on which it can make a difference. */
  readonly on: readonly RuntimeId[]
}

const everywhere = ['node-20', 'node-24', 'deno', 'bun'] as const
const nodes = ['node-20', 'node-24'] as const
const fetches = ['deno', 'bun'] as const
const newest = ['node-24'] as const

/** All ablations by their names. `nothing` has no patch. */
export const ablations: Readonly<Record<string, Ablation>> = {
  nothing: {
    trick: 'nothing: two copies of the product, which shows the noise',
    rows: ['core getPet', 'http getPet', 'http createPet'],
    on: everywhere,
  },
  'scratch-arrays': {
    trick: 'SHA-256 in arrays of the module; new arrays in each call',
    rows: ['core getPet'],
    on: everywhere,
  },
  'packed-digests': {
    trick: 'digests as 16 UTF-16 units; hexadecimal digits',
    rows: ['core getPet'],
    on: everywhere,
  },
  'lookup-by-digest': {
    trick: 'the key store gets the digest of the service; computes it again',
    rows: ['core getPet'],
    on: everywhere,
  },
  'flat-table': {
    trick: 'accounts in rows of typed arrays, ban records in bits; objects in a Map',
    bound: '100,000 addresses in 20 MB, also rejected ones',
    rows: ['limiter of 1,000 keys', 'limiter of 1,000,000 keys'],
    on: newest,
  },
  'bucket-of-numbers': {
    trick: 'a check of the limits with numbers alone; an object for each limit',
    bound: 'a check of two limits in 0.5 µs',
    rows: ['core getPet', 'limiter of 1,000 keys'],
    on: everywhere,
  },
  'synchronous-pipeline': {
    trick: 'steps without promises where the parts return none; `await` at each step',
    rows: ['core getPet', 'http getPet'],
    on: everywhere,
  },
  'cached-pages': {
    trick: 'full pages and their JSON cached; neither',
    rows: ['core mix', 'http mix'],
    on: everywhere,
  },
  'cached-json': {
    trick: 'the JSON of cached pages cached; pages only',
    rows: ['core mix'],
    on: everywhere,
  },
  'number-by-name': {
    trick: 'the text of `categoryId` found by its name; the document parsed again',
    rows: ['core createPet'],
    on: everywhere,
  },
  'short-int64': {
    trick: 'an int64 of up to 15 digits parsed at once; as any JSON number',
    rows: ['core createPet'],
    on: everywhere,
  },
  'exact-media-type': {
    trick: '`application/json` compared first; parsed',
    rows: ['core createPet'],
    on: everywhere,
  },
  'unescaped-targets': {
    trick: 'targets without `%` not decoded; all decoded',
    rows: ['core list100'],
    on: everywhere,
  },
  'later-writes': {
    trick: 'node:http: responses written a step later; at once',
    rows: ['http list20', 'http createPet'],
    on: nodes,
  },
  'node-request-class': {
    trick: 'node:http: the request as a class; an object with closures',
    rows: ['http getPet'],
    on: nodes,
  },
  'uncopied-chunk': {
    trick: 'node:http: a body of one chunk not copied; copied',
    rows: ['http createPet'],
    on: nodes,
  },
  'slices-on-demand': {
    trick: 'node:http: connections read in slices after the first client that pipelines; always',
    rows: ['http list20'],
    on: nodes,
  },
  'fetch-request-class': {
    trick: 'Fetch: the request as a class; an object with a getter',
    rows: ['http getPet'],
    on: fetches,
  },
  'sliced-urls': {
    trick: 'Fetch: the target cut out of the URL; `new URL`',
    rows: ['http getPet'],
    on: fetches,
  },
  'two-body-readers': {
    trick: 'Fetch: a body of declared length read at once; in parts like the others',
    rows: ['http createPet'],
    on: fetches,
  },
  'deferred-timer': {
    trick: 'Fetch: the timer of a body started at the end of the turn; at once',
    rows: ['http createPet'],
    on: fetches,
  },
  'shared-timestamps': {
    trick: 'the time of log lines formatted once a millisecond; for each line',
    rows: ['log line'],
    on: nodes,
  },
  'sqlite-pages': {
    trick: 'SQLite: full pages cached while the file is the same; read each time',
    rows: ['sqlite mix', 'sqlite list100'],
    on: newest,
  },
  'sqlite-keys': {
    trick: 'SQLite: keys cached while the file is the same; read each time',
    rows: ['sqlite key'],
    on: newest,
  },
}
