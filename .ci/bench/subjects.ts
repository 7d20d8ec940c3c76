import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../adapters/standalone/testing/storages.ts'
import { install } from '../install.mjs'
import { type StorageId, startProgram } from './program.ts'
import { measure, type Plan, type Sample, type Sides } from './rounds.ts'
import { scenarios } from './scenarios.ts'
import { resolvePath, type Server, startNode, startServer } from './server.ts'
import { cell, footnote, measureRatio, selectSamples, table } from './tables.ts'

/** A table, whose groups of sides have the same columns. */
interface Subject {
  readonly groups: readonly {
    readonly title: string
    readonly sides: Sides
  }[]
  /** The quotients of the rates of two sides, as the median over the rounds. */
  readonly ratios: readonly (readonly [one: string, other: string, title: string])[]
}

/** Measures a subject. Returns its table with a footnote. */
async function report(plan: Plan, label: string, { groups, ratios }: Subject): Promise<string> {
  const rows: string[][] = []
  const samples: Sample[] = []
  for (const { title, sides } of groups) {
    const measured = await measure(plan, sides, title || label)
    samples.push(...measured.map((sample) => ({ ...sample, side: `${title} ${sample.side}` })))
    for (const row of plan.rows)
      rows.push([
        `${title && `${title}: `}${scenarios[row].title}`,
        ...Object.keys(sides).map((side) => cell(selectSamples(measured, side, row))),
        ...ratios.map(([one, other]) => measureRatio(measured, row, one, other).toFixed(2)),
      ])
  }
  const sides = Object.values(groups[0]?.sides ?? {})
  const head = ['', ...sides.map(({ title }) => title), ...ratios.map(([, , title]) => title)]
  return [table(head, rows), '', footnote(plan, samples)].join('\n')
}

/** The sides in memory. */
export const inMemory = {
  ours: { title: 'the standalone server', start: () => startProgram('memory') },
  /** Replays the responses of `ours`, without any work: the upper bound for a server on node:http. */
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
  groups: [{ title: '', sides: inMemory }],
  ratios: [
    ['ours', 'bare', 'of bare'],
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

function onStorage(title: string, storage: StorageId) {
  const sides: Sides = {
    ours: { title: 'the standalone server', start: () => startProgram(storage) },
    fastify: { title: 'Fastify', start: () => startFastify(storage) },
  }
  return { title, sides }
}

function onStorages(): Subject {
  const groups = [onStorage('PostgreSQL', 'postgres')]
  if (process.versions.sqlite) groups.push(onStorage('SQLite', 'sqlite')) // Node 22.13 or later
  return { groups, ratios: [['ours', 'fastify', 'times as fast']] }
}

async function onFetch(): Promise<Subject> {
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
  storage: onStorages,
  fetch: onFetch,
}

/**
 * Measures a table, or all of them, and prints them.
 *
 * @throws Error if no table has the name.
 */
export async function reportTables(plan: Plan, only: string | undefined): Promise<void> {
  for (const name of only === undefined ? Object.keys(subjects) : [only]) {
    const subject = await subjects[name]?.()
    if (!subject)
      throw new Error(`unknown subject "${name}"; expected one of ${Object.keys(subjects).join(', ')}`)
    process.stdout.write(`${await report(plan, name, subject)}\n\n`)
  }
}
