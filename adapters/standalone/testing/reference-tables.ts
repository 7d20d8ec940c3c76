import { type CommandName, commandNames } from '../cli/commands.ts'
import { type FlagName, flagNames, flags } from '../cli/flags.ts'
import { metricTable, readMetricType } from '../routes/metrics/metric-table.ts'

/** The generated tables in `REFERENCE.md`. `.ci/readme.mjs` writes them, and a test compares them. */
export const referenceTables: Readonly<Record<string, string>> = {
  flags: formatTable(['Flag', 'Variable', 'Default', 'Commands', 'Meaning'], flagNames.map(formatFlag)),
  metrics: formatTable(['Metric', 'Type', 'Labels', 'Meaning'], Object.keys(metricTable).map(formatMetric)),
}

function formatTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`.replaceAll('  |', ' |')
  return `${formatRow(titles)}|${'---|'.repeat(titles.length)}\n${rows.map(formatRow).join('')}`
}

function formatMetric(name: string): readonly string[] {
  const { labels = [], help = '' } = metricTable[name] ?? {}
  const type = readMetricType(name)
  const all = type === 'histogram' ? [...labels, 'le'] : labels
  return [`\`${name}\``, type, all.map((label) => `\`${label}\``).join(', '), help]
}

function formatFlag(name: FlagName): readonly string[] {
  const { value, env, default: fallback, commands, secret, help } = flags[name]
  const flag = secret ? undefined : `--${name}${value === undefined ? '' : ` ${value}`}`
  const cells = [flag, env, fallback].map((text) => (text === undefined ? '' : `\`${text}\``))
  return [...cells, formatCommands(commands), help]
}

/** Formats the commands that accept a flag. If most do, formats the exceptions instead. */
function formatCommands(accepting: readonly CommandName[]): string {
  const others = commandNames.filter((name) => !accepting.includes(name))
  if (others.length === 0) return 'all'
  const isMost = others.length < accepting.length
  const names = (isMost ? others : accepting).map((name) => `\`${name}\``)
  return `${isMost ? 'all but ' : ''}${names.join(', ')}`
}
