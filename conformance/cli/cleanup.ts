import { spawn } from 'node:child_process'
import type { Report } from '../index.ts'
import { shorten } from '../transcript/bounds.ts'
import { plural, printable } from '../transcript/printable.ts'
import { UsageError } from './arguments/values.ts'
import type { Sink } from './process-context.ts'

/** A program and its arguments. */
export type ProgramCall = readonly [program: string, ...args: string[]]

/** How long the program may take for one animal, in milliseconds. */
const mostMs = 30_000

/** How long what the program has written is read after its end, in milliseconds. */
const mostMsOfRest = 500

/** A word of a command: characters that are no white space, and parts in quotes. */
const word = /(?:[^\s"']|"[^"]*"|'[^']*')+/g

/**
 * Reads the value of `--cleanup`: words separated by white space. Quotes hold a word with white space together; nothing
 * else has a meaning, as no shell runs it.
 *
 * @throws {UsageError} There is no program, it is a batch file of Windows, or a quote is not closed.
 */
export function readCleanup(text: string): ProgramCall {
  if (/["']/.test(text.replace(/"[^"]*"|'[^']*'/g, '')))
    throw new UsageError('--cleanup has a quote that is not closed: close it')
  const words = text.match(word) ?? []
  const [program, ...args] = words.map((one) => one.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
  if (!program) throw new UsageError('--cleanup requires a program: --cleanup ./delete-pet.sh')
  // Windows runs it in a shell, to which an id from the deployment could be a command.
  if (/\.(?:bat|cmd)$/i.test(program))
    throw new UsageError('--cleanup runs no batch file: use another program, such as "node delete-pet.mjs"')
  return [program, ...args]
}

/**
 * Runs a program once for each animal that a run created, with the id as its last argument, one after the other; `--` is
 * before an id that a program could take for a flag. What fails is written to a stream, with the ids that are left.
 *
 * @param env The environment of the program, which besides has the deployment as PET_ADOPTION_BASE_URL.
 * @param redact Replaces the keys in what the program says.
 */
export async function cleanUp(
  call: ProgramCall,
  { created, target }: Report,
  env: Readonly<Record<string, string | undefined>>,
  sink: Sink,
  redact: (text: string) => string,
): Promise<void> {
  const left: string[] = []
  for (const { id, name } of created) {
    const problem =
      id === 'unknown'
        ? 'its id is unknown'
        : await run(call, id, { ...env, PET_ADOPTION_BASE_URL: target.baseUrl })
    if (problem === undefined) continue
    left.push(id)
    sink.write(`cleanup of ${printable(id)} (${printable(name)}) failed: ${printable(redact(problem))}\n`)
  }
  if (created.length === 0) return
  const rest = left.length === 0 ? '' : `; still there: ${printable(left.join(', '))}`
  sink.write(
    `cleanup: ${created.length - left.length} of ${plural(created.length, 'animal')} deleted${rest}\n`,
  )
}

/** Runs the program for one animal. Returns what went wrong, as a phrase. */
function run(
  [program, ...args]: ProgramCall,
  id: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, ...(id.startsWith('-') ? ['--', id] : [id])], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: mostMs,
      killSignal: 'SIGKILL',
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = shorten(said + text)
    })
    // a program that it has started may hold the stream open
    child.on('exit', () => setTimeout(() => child.stderr.destroy(), mostMsOfRest).unref())
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => {
      const words = said.trim() === '' ? '' : `: ${said.trim()}`
      if (signal !== null) resolve(`ended by ${signal}, at the latest after ${mostMs / 1000} s${words}`)
      else resolve(code === 0 ? undefined : `exit code ${code}${words}`)
    })
  })
}
