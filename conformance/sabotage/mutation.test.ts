import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue, record, type Transcript } from '../index.ts'
import { broken } from './broken.ts'
import { editResponse, isGet, withAnimals, withLimiters } from './change.ts'
import { degenerate } from './degenerate.ts'
import { degenerateSockets } from './degenerate-sockets.ts'
import { withHeaders } from './edit.ts'
import { figures, objections } from './figures.ts'
import { legalRemovals } from './legal/removal.ts'
import { legal } from './legal.ts'
import { fixedWindow, minute } from './limiter.ts'
import { mutations } from './mutations.ts'
import { inOrder, trialOptions } from './trial.ts'
import type { Variant } from './variant.ts'
import { seedAnimals } from './world.ts'

const deprecated: Variant = {
  does: 'deprecates getPet, and knows its plan',
  plan: 'free',
  change: {
    prepare: (world) => {
      withAnimals(seedAnimals(22)).prepare?.(world)
      withLimiters(fixedWindow(4, minute), fixedWindow(60, minute)).prepare?.(world)
    },
    ...editResponse(isGet, (response) =>
      withHeaders(response, { deprecation: '@1795132800', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }),
    ),
  },
}
const removed = legalRemovals.find(({ start }) => start !== undefined) ?? deprecated

/** The rules that a transcript breaks. */
function brokenBy(transcript: Transcript): readonly string[] {
  return catalogue.filter((rule) => rule.judge(transcript).outcome === 'broken').map(({ id }) => id)
}

const whole = await record(trialOptions(deprecated, 'all'))
const later = await record(trialOptions(removed, 'read'))
const good: readonly Transcript[] = [
  whole,
  { ...later, exchanges: later.exchanges.filter(({ id }) => id.startsWith('get-')) },
]

test('the transcripts that are mutated break no rule', () => {
  for (const transcript of good) assert.deepEqual(brokenBy(transcript), [])
})

test('what is left out of a transcript accuses nobody', () => {
  for (const transcript of good) {
    for (const { id } of transcript.exchanges) {
      const less = { ...transcript, exchanges: transcript.exchanges.filter((exchange) => exchange.id !== id) }
      assert.deepEqual(brokenBy(less), [], `without ${id}`)
    }
  }
})

const caught = mutations.map(({ does, mutants }) => {
  const found = good.flatMap(mutants).map(brokenBy)
  return {
    does,
    mutants: found.length,
    noticed: found.filter((ids) => ids.length > 0).length,
    ids: found.flat(),
  }
})

test('every rule catches some mutation', () => {
  const catching = new Set(caught.flatMap(({ ids }) => ids))
  assert.deepEqual(
    catalogue.filter(({ id }) => !catching.has(id)).map(({ id }) => id),
    [],
  )
})

test('each mutation is caught by the rules that the table names', () => {
  assert.deepEqual(Object.fromEntries(caught.map(({ does, ids }) => [does, brief(ids)])), objections)
})

test('the figures are those that the suite is described with', () => {
  const sum = (count: (row: (typeof caught)[number]) => number): number =>
    caught.reduce((total, row) => total + count(row), 0)
  assert.deepEqual(figures, {
    rules: catalogue.length,
    broken: broken.length,
    legal: legal.length,
    degenerate: degenerate.length + degenerateSockets.length,
    mutations: mutations.length,
    mutants: sum(({ mutants }) => mutants),
    noticed: sum(({ noticed }) => noticed),
  })
})

/** Ids in short, family by family. */
function brief(ids: readonly string[]): string {
  const parts = inOrder(ids).map((id) => id.split('-'))
  const families = [...new Set(parts.map(([family]) => family))]
  return families
    .map(
      (family) => `${family} ${runs(parts.filter(([other]) => other === family).map(([, n]) => Number(n)))}`,
    )
    .join(', ')
}

/** Ascending numbers, those without a gap as `1-3`. */
function runs(numbers: readonly number[]): string {
  const starts = numbers.filter((n) => !numbers.includes(n - 1))
  const ends = numbers.filter((n) => !numbers.includes(n + 1))
  return starts.map((start, n) => (start === ends[n] ? start : `${start}-${ends[n]}`)).join(' ')
}
