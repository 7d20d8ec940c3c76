import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, root } from '../command.mjs'
import { npm } from './prepare.ts'
import { startProgram } from './program.ts'
import { measure, type Plan, type Sample, type Sides } from './rounds.ts'
import { scenarios } from './scenarios.ts'
import { footnote, median, quotients, selectSamples, table } from './tables.ts'

/** Maximum additional CPU time of a request in the work tree, as a share of the commit's. */
const mostRise = 0.1

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/**
 * Compares the CPU time per request of two standalone servers in memory: one from the work tree, one from a commit. A
 * second server of the commit is the control: the difference between two equal copies is the noise.
 *
 * @returns 1 if the CPU time of a row rose by more than 10 % and the noise, in two measurements.
 */
export function compareWith(commit: string, plan: Plan): Promise<0 | 1> {
  return inFolder(async (folder) => {
    const copy = join(folder, 'copy')
    try {
      const title = build(commit, copy)
      const of = (root: string, title: string) => ({
        title,
        start: () => startProgram({ root, storage: 'memory' }),
      })
      const sides: Sides = {
        commit: of(copy, title),
        tree: of(root, 'work tree'),
        control: of(copy, 'control'),
      }
      const slower = await slowerRows(plan, sides, title)
      // a machine that other programs disturb shows a rise once, and not again
      return slower.length > 0 && (await slowerRows({ ...plan, rows: slower }, sides, title)).length > 0
        ? 1
        : 0
    } finally {
      if (existsSync(copy)) git('worktree', 'remove', '--force', copy)
    }
  })
}

/** Measures the sides, prints the table, and returns the rows whose CPU time rose. */
async function slowerRows(plan: Plan, sides: Sides, title: string): Promise<Plan['rows']> {
  const samples = await measure(plan, sides, `${title} and the work tree`)
  const rises = plan.rows.map((row) => ({ row, ...measureRise(samples, row) }))
  const rows = rises.map(({ row, rise, noise }) => [
    scenarios[row].title,
    ...Object.keys(sides).map((side) => median(selectSamples(samples, side, row).map(cpu)).toFixed(1)),
    percent(rise),
    percent(noise),
  ])
  const head = ['CPU µs of a request', title, 'work tree', `${title} again`, 'rise', 'noise']
  process.stdout.write(`${table(head, rows)}\n\n${footnote(plan, samples)}\n`)
  const broken = rises.filter(isSlower)
  for (const { row, rise } of broken)
    process.stdout.write(`${scenarios[row].title}: the CPU time of a request rose by ${percent(rise)}\n`)
  return broken.map(({ row }) => row)
}

const cpu = ({ cpuMicros }: Sample) => cpuMicros
const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** Returns how much more the work tree takes than the two copies of the commit, and by how much those differ. */
export function measureRise(samples: readonly Sample[], row: Sample['row']): { rise: number; noise: number } {
  const quotient = (one: string, other: string) => quotients(samples, row, one, other, cpu)
  return {
    rise: median([...quotient('tree', 'commit'), ...quotient('tree', 'control')]) - 1,
    noise: median(quotient('control', 'commit').map((share) => Math.abs(share - 1))),
  }
}

/** Returns true if the rise exceeds the bound plus the noise. It is rounded to 0.1 %, so that meeting the bound is not a rise. */
export function isSlower({ rise, noise }: { readonly rise: number; readonly noise: number }): boolean {
  return Math.round((rise - noise) * 1_000) > mostRise * 1_000
}

/**
 * Builds a commit in a worktree of its own. Returns its name.
 *
 * @throws Error if this clone does not have the commit.
 */
function build(commit: string, copy: string): string {
  const title = git('rev-parse', '--short', `${commit}^{commit}`)
  git('worktree', 'add', '--detach', copy, title)
  const lock = 'package-lock.json'
  const isSame = readFileSync(join(copy, lock), 'utf8') === readFileSync(join(root, lock), 'utf8')
  if (isSame) symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  else npm(copy, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  npm(copy, 'run', 'build')
  return title
}
