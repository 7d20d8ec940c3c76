// Runs the commands of a check.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a command to its end. Returns its stdout; throws an error with its whole output if it fails. */
export async function run(command, args, { cwd, env, timeout = 180_000 } = {}) {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26, timeout }
  try {
    return (await execute(command, args, options)).stdout
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error
    throw new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}:\n${stdout}${stderr}`, {
      cause: error,
    })
  }
}
