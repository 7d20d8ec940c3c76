import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../adapters/standalone/testing/storages.ts'
import { install } from '../install.mjs'
import { type StorageId, startProgram } from './program.ts'
import { measure, type Plan, type Sample, type Sides } from './rounds.ts'
import { scenarios } from './scenarios.ts'
import { resolvePath, type Server, startNode, startServer } from './server.ts'
import { computeRatio, formatCell, formatFootnote, formatTable, selectSamples } from './tables.ts'

/** One table: a group of rows for each set of servers. */
interface Subject {
  readonly groups: readonly {
    readonly title: string
    readonly sides: Sides
    readonly connections?: number
  }[]
  /** Ratios between two servers. A ratio compares rates unless it names another figure. */
  readonly ratios: readonly (readonly [one: string, other: string, title: string, figure?: 'p99Ms'])[]
}

async function reportSubject(plan: Plan, label: string, { groups, ratios }: Subject): Promise<string> {
  const rows: string[][] = []
  const samples: Sample[] = []
  for (const { title, sides, connections } of groups) {
    const measured = await measure(plan, sides, title || label, connections)
    samples.push(...measured.map((sample) => ({ ...sample, side: `${title} ${sample.side}` })))
    for (const row of plan.rows)
      rows.push([
        `${title && `${title}: `}${scenarios[row].title}`,
        ...Object.keys(sides).map((side) => formatCell(selectSamples(measured, side, row))),
        ...ratios.map(([one, other, , figure]) => computeRatio(measured, row, one, other, figure).toFixed(2)),
      ])
  }
  const sides = Object.values(groups[0]?.sides ?? {})
  const head = ['', ...sides.map(({ title }) => title), ...ratios.map(([, , title]) => title)]
  return [formatTable(head, rows), '', formatFootnote(plan, samples)].join('\n')
}

export const memorySides = {
  ours: { title: 'the standalone server', start: () => startProgram('memory') },
  /** Sends recorded responses: no server on node:http can be faster. */
  bare: {
    title: 'bare node:http',
    isOpen: true,
    start: (started) => startNode('sides/bare.ts', [started.get('ours')?.origin ?? '']),
  },
  logged: {
    title: 'with JSON log and metrics',
    start: () => startProgram('memory', ['--log', 'json', '--metrics']),
  },
  fastify: { title: 'Fastify', start: () => startNode('sides/fastify.ts') },
} satisfies Sides

const memory: Subject = {
  groups: [
    { title: '', sides: memorySides },
    { title: '4 connections', sides: memorySides, connections: 4 },
  ],
  ratios: [
    ['ours', 'bare', 'of bare'],
    ['ours', 'bare', 'p99 of bare', 'p99Ms'],
    ['ours', 'fastify', 'of Fastify'],
    ['logged', 'ours', 'logged of silent'],
  ],
}

async function startFastify(storage: StorageId): Promise<Server> {
  const { url, drop } = storage === 'postgres' ? await createDatabase() : createFile()
  const server = await startNode('sides/fastify.ts', [url])
  return { ...server, stop: () => server.stop().finally(drop) }
}

function createFile() {
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-bench-'))
  return { url: join(folder, 'peer.sqlite'), drop: () => rmSync(folder, { recursive: true }) }
}

function createStorageGroup(title: string, storage: StorageId) {
  const sides: Sides = {
    ours: { title: 'the standalone server', start: () => startProgram(storage) },
    fastify: { title: 'Fastify', start: () => startFastify(storage) },
  }
  return { title, sides }
}

function createStorageSubject(): Subject {
  const groups = [createStorageGroup('PostgreSQL', 'postgres')]
  if (process.versions.sqlite) groups.push(createStorageGroup('SQLite', 'sqlite')) // Node 20 has no node:sqlite
  return { groups, ratios: [['ours', 'fastify', 'times as fast']] }
}

async function createFetchSubject(): Promise<Subject> {
  await install(new URL('../runtimes/', import.meta.url))
  const { bun, deno } = await import('../runtimes/runtimes.mjs')
  const group = (title: string, runtime: typeof deno) => {
    const start = (file: string, ...more: readonly string[]) =>
      startServer([runtime.program, ...runtime.run, resolvePath(`sides/${file}.ts`), ...more])
    const sides: Sides = {
      ours: { title: 'ours', start: () => start('ours') },
      bare: {
        title: 'bare handler',
        isOpen: true,
        start: (started) => start('fetch-bare', started.get('ours')?.origin ?? ''),
      },
      hono: { title: 'Hono', start: () => start('hono') },
    }
    return { title, sides }
  }
  return {
    groups: [group('Deno', deno), group('Bun', bun)],
    ratios: [
      ['ours', 'bare', 'of bare'],
      ['ours', 'hono', 'of Hono'],
    ],
  }
}

const subjects: Readonly<Record<string, () => Subject | Promise<Subject>>> = {
  memory: () => memory,
  storage: createStorageSubject,
  fetch: createFetchSubject,
}

/** Prints the table of one subject, by default of all. */
export async function reportTables(plan: Plan, only: string | undefined): Promise<void> {
  for (const name of only === undefined ? Object.keys(subjects) : [only]) {
    const subject = await subjects[name]?.()
    if (!subject)
      throw new Error(`unknown subject "${name}"; expected one of ${Object.keys(subjects).join(', ')}`)
    process.stdout.write(`${await reportSubject(plan, name, subject)}\n\n`)
  }
}
