// Runs the commands of a check.
import { spawnSync } from 'node:child_process'

/** Runs a command to its end and answers what it writes to stdout. Throws where it fails, with what it wrote to stderr. */
export function run(command, args, { cwd, env, timeout = 180_000 } = {}) {
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout,
  })
  if (status === 0) return stdout
  const end = error?.message ?? `it ended with ${signal ?? status}`
  throw new Error(`${command} ${args.join(' ')}: ${end}\n${stdout ?? ''}${stderr ?? ''}`)
}
