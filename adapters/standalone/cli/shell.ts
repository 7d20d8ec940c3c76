import { join, relative, sep } from 'node:path'
import type { Environment } from './settings.ts'

/** What the program was started with: `process.argv[1]`, the current folder, and the environment. */
export interface Invocation {
  readonly script: string
  readonly cwd: string
  readonly env: Environment
}

const name = 'pet-adoption-service'
const main = join('standalone', 'main.js')

/**
 * Returns how the program was called, so that a command line that it prints works when it is pasted: `npx` and its name where npx
 * started it, the name alone where a shell finds it on its path, and else Node with the path from the current folder.
 */
export function programName({ script, cwd, env }: Invocation): string {
  if (env.npm_command === 'exec') return `npx ${name}`
  const path = relative(cwd, script)
  if (script.endsWith(main)) return `node ${quoted(path)}`
  const isInstalledHere = !path.startsWith('..') && path.includes(sep)
  return isInstalledHere ? quoted(path) : name
}

/** Returns a word of a command line to paste, in quotes if it needs them: for sh, or for the Command Prompt of Windows. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./\\:=-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}

/** Returns an environment variable in a command line to paste, in quotes. */
export function quotedVariable(name: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? `"%${name}%"` : `"$${name}"`
}
