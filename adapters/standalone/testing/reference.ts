// Usage: node --import tsx adapters/standalone/testing/reference.ts
// Writes the table of flags of REFERENCE.md from their rows.
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Flag, flagNames, flags } from '../cli/flags.ts'

const path = new URL('../REFERENCE.md', import.meta.url)

/** Returns a text with the table of flags between its markers. */
export function withFlags(text: string): string {
  const lines = flagNames.map((name) => rowOf(name, flags[name]))
  const table = ['| Flag | Variable | Default | Meaning |', '|---|---|---|---|', ...lines].join('\n')
  return text.replace(/(<!-- flags -->\n).*?(\n<!-- \/flags -->)/s, (_, start, end) => start + table + end)
}

function rowOf(name: string, { env, value, default: fallback, secret, help, commands }: Flag): string {
  const flag = secret ? '' : `--${name}${value ? ` ${value}` : ''}`
  const others = commands.filter((command) => command !== 'serve')
  const users = commands.includes('serve')
    ? ''
    : commands.length > 8
      ? ''
      : `for ${others.map(code).join(', ')}: `
  const cells = [code(flag), code(env ?? ''), code(fallback ?? ''), users + help]
  return `|${cells.map((cell) => (cell ? ` ${cell.replaceAll('|', '\\|')} ` : ' ')).join('|')}|`
}

function code(text: string): string {
  return text && `\`${text}\``
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path, withFlags(readFileSync(path, 'utf8')))
