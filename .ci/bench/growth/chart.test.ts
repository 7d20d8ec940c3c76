import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthChart } from './chart.ts'
import type { GrowthPoint } from './operations.ts'
import { growthTable } from './table.ts'

const flat: readonly GrowthPoint[] = [1_000, 10_000, 100_000].map((size) => ({
  storage: 'memory',
  operation: 'list',
  size,
  value: 2,
}))
const linear: readonly GrowthPoint[] = [1_000, 10_000, 100_000].map((size) => ({
  storage: 'sqlite',
  operation: 'list',
  size,
  value: size / 100,
}))

/** Returns the points of the line of a storage in the only panel; the first line of the storage is that of the legend. */
function lineOf(svg: string, storage: string): readonly (readonly [number, number])[] {
  const [, drawn] = [...svg.matchAll(new RegExp(`class="line ${storage}"[^>]* d="M([^"]*)"`, 'g'))]
  return (drawn?.[1] ?? '').split('L').map((place) => place.split(' ').map(Number) as [number, number]) // pairs, as drawn
}

test('a cost that does not depend on the size is a horizontal line', () => {
  const [first, second, third] = lineOf(growthChart([...flat, ...linear]), 'memory')
  assert.equal(first?.[1], second?.[1])
  assert.equal(second?.[1], third?.[1])
})

test('a cost that grows with the size is a straight line upwards', () => {
  const [first = [0, 0], second = [0, 0], third = [0, 0]] = lineOf(
    growthChart([...flat, ...linear]),
    'sqlite',
  )
  assert.ok(Math.abs(second[0] - first[0] - (third[0] - second[0])) < 0.2)
  assert.ok(Math.abs(first[1] - second[1] - (second[1] - third[1])) < 0.2)
  assert.ok(second[1] < first[1] - 10)
})

test('a chart has a title, a description, labelled axes, a legend and colors for light and dark pages', () => {
  const svg = growthChart([...flat, ...linear])
  assert.match(svg, /role="img" aria-labelledby="title description"/)
  assert.match(svg, /<title id="title">Cost/)
  assert.match(svg, /<desc id="description">[^<]*10³ to 10⁵ animals or keys: first page of 20\./)
  for (const text of ['animals or keys', 'µs', '10⁴', 'memory', 'SQLite', 'PostgreSQL'])
    assert.ok(svg.includes(`>${text}</text>`), text)
  assert.match(svg, /@media \(prefers-color-scheme: dark\)/)
})

test('a chart is well-formed, and refers to nothing outside of itself', () => {
  const svg = growthChart([...flat, ...linear])
  const open: string[] = []
  for (const [, slash, name = '', empty] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (slash) assert.equal(open.pop(), name)
    else if (!empty) open.push(name)
  }
  assert.deepEqual(open, [])
  assert.doesNotMatch(svg, /NaN|Infinity|undefined|href|url\(|<script/)
})

test('the table has a row for each line, and the growth for ten times as many', () => {
  assert.equal(
    growthTable([...flat, ...linear]),
    [
      '|  |  | 10³ | 10⁴ | 10⁵ | for ten times as many |',
      '| --- | --- | ---: | ---: | ---: | ---: |',
      '| first page of 20, µs | memory | 2.0 | 2.0 | 2.0 | × 1.00 |',
      '| first page of 20, µs | SQLite | 10 | 100 | 1,000 | × 10.00 |',
    ].join('\n'),
  )
})

test('a size that was not measured is an empty cell', () => {
  const table = growthTable([...flat, ...linear.slice(0, 2)])
  assert.match(table, /\| SQLite \| 10 \| 100 \| {2}\| × 10\.00 \|/)
})
