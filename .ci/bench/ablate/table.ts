import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Cost } from './ablate.ts'
import { ablations } from './ablations.ts'
import { type RuntimeId, runtimeIds } from './programs.ts'

/** The results of earlier runs: each run replaces those of the ablations that it measures. */
const resultsFile = fileURLToPath(new URL('../ablations/results.json', import.meta.url))
const manual = fileURLToPath(new URL('../../../.github/CONTRIBUTING.md', import.meta.url))
const begin = '<!-- ablations -->\n'
const end = '<!-- /ablations -->'

/** What a trick has to buy in a row to stay. */
const threshold = 0.05

/** Adds results to those of earlier runs, and writes the table of all of them between the markers of CONTRIBUTING.md. */
export function writeTable(measured: readonly Cost[]): void {
  const names = new Set(measured.map(({ ablation }) => ablation))
  const earlier: readonly Cost[] = JSON.parse(readFileSync(resultsFile, 'utf8'))
  const costs = [...earlier.filter(({ ablation }) => !names.has(ablation)), ...measured]
  const current = Object.keys(ablations).flatMap((name) => costs.filter(({ ablation }) => ablation === name))
  writeFileSync(resultsFile, `${JSON.stringify(current, undefined, 2)}\n`)
  const text = readFileSync(manual, 'utf8')
  const [before, rest] = split(text, begin)
  const [, after] = split(rest, end)
  writeFileSync(manual, `${before}${begin}${formatTable(current)}\n${end}${after}`)
}

/** Formats results as a Markdown table with a row for each ablation. */
export function formatTable(costs: readonly Cost[]): string {
  const rows = Object.entries(ablations).map(([name, { trick, bound }]) => {
    const own = costs.filter(({ ablation }) => ablation === name)
    const cells = runtimeIds.map((runtime) => cell(own, runtime))
    return [`${trick} (\`${name}\`)`, ...cells, verdict(name, own, bound)]
  })
  return [
    ['trick; plain form', ...runtimeIds, 'verdict'],
    ['---', ...runtimeIds.map(() => '---'), '---'],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function cell(costs: readonly Cost[], runtime: RuntimeId): string {
  return costs
    .filter((cost) => cost.runtime === runtime)
    .map(({ row, cpu, productMicros }) => {
      const micros = cpu * productMicros
      return `${row} ${signed(cpu * 100, 0)} % (${signed(micros, 2)} µs)`
    })
    .join('<br>')
}

function verdict(name: string, costs: readonly Cost[], bound: string | undefined): string {
  if (name === 'nothing') return ''
  if (bound !== undefined) return `stays for its bound: ${bound}`
  if (costs.length === 0) return 'not measured'
  return costs.some(({ cpu }) => cpu >= threshold) ? 'stays' : 'goes'
}

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits)
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`
}

function split(text: string, marker: string): [before: string, after: string] {
  const at = text.indexOf(marker)
  if (at < 0) throw new Error(`CONTRIBUTING.md has no ${marker.trim()}`)
  return [text.slice(0, at), text.slice(at + marker.length)]
}
