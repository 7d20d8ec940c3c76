import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { launch } from './launch.ts'

/**
 * Runs a command, and kills it after `killMs` where that is given. Resolves with its output if that was complete, which
 * acknowledges what the command has done.
 */
export async function runUntil(commandLine: string, killMs?: number): Promise<string | undefined> {
  const { child, stdout, stderr, end } = launch(commandLine)
  if (killMs !== undefined)
    void setTimeout(killMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  const ended = await end
  if (ended !== 'SIGKILL') assert.equal(ended, 0, stderr.text)
  return stdout.text.endsWith('\n') ? stdout.text : undefined
}
