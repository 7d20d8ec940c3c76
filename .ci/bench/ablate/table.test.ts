import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Cost } from './ablate.ts'
import { formatTable } from './table.ts'

const spread = { from: 0, to: 0, memory: 0 }

function rowOf(name: string, costs: readonly Partial<Cost>[]): string {
  const whole = costs.map((cost) => ({ ...spread, ablation: name, ...cost }) as Cost) // the members that the table reads
  return (
    formatTable(whole)
      .split('\n')
      .find((line) => line.includes(`(\`${name}\`)`)) ?? ''
  )
}

it('shows what a plain form costs in each row of each runtime', () => {
  const row = rowOf('later-writes', [
    { row: 'http list20', runtime: 'node-20', cpu: 0.25, productMicros: 40 },
    { row: 'http createPet', runtime: 'node-20', cpu: -0.021, productMicros: 100 },
  ])
  const [, node20, node24] = row.split(' | ')
  assert.equal(node20, 'http list20 +25 % (+10.00 µs)<br>http createPet −2 % (−2.10 µs)')
  assert.equal(node24, '')
})

it('keeps a trick that buys 5 % of a row, or keeps a bound', () => {
  const row = { row: 'http list20', runtime: 'node-24', productMicros: 40 } as const
  assert.match(rowOf('later-writes', [{ ...row, cpu: 0.05 }]), /\| stays \|$/)
  assert.match(rowOf('later-writes', [{ ...row, cpu: 0.049 }]), /\| goes \|$/)
  assert.match(rowOf('flat-table', [{ ...row, cpu: -0.1 }]), /\| stays for its bound: .* \|$/)
  assert.match(rowOf('later-writes', []), /\| not measured \|$/)
})
