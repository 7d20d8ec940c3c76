import { relative } from 'node:path'

/** Returns the beginning of a command line that runs a script again from this folder, whatever has started it. */
export function programOf(
  script: string,
  cwd: string,
  versions: NodeJS.ProcessVersions = process.versions,
): string {
  const path = relative(cwd, script)
  const file = quoted(path.startsWith('..') ? script : path)
  if (versions.bun) return `bun ${file}`
  if (!versions.deno) return `node ${file}`
  const isInstalled = /[\\/](?:npm|\.deno)[\\/]/.test(script) // in the cache of Deno, or in node_modules
  return `deno run -A ${isInstalled ? 'npm:pet-adoption-service/pet-adoption-service' : file}`
}

/** Returns a word of a command line to paste, quoted if it must be: for sh, or for the Command Prompt of Windows. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./\\:=-]+$/.test(word)) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}

/** Returns an environment variable in a command line to paste, in quotes. */
export function quotedVariable(name: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? `"%${name}%"` : `"$${name}"`
}
