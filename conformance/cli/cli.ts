import { catalogue, plan } from '../index.ts'
import { suite } from '../suite.ts'
import { printable, printableLines } from '../transcript/printable.ts'
import { readCommandLine } from './arguments/command-line.ts'
import { failureCodes, UsageError } from './arguments/errors.ts'
import { checkOptions, redactorOf } from './arguments/options-check.ts'
import { type Command, readCommand } from './command.ts'
import { dryRun, ruleList, ruleListJson } from './dry-run.ts'
import { helpOf } from './help.ts'
import type { ProcessContext } from './process-context.ts'
import { runCommand } from './run-command.ts'
import { compareCommand, judgeCommand } from './saved-commands.ts'

/** Runs the command-line program and returns its exit code. Never throws. */
export async function cli(context: ProcessContext): Promise<number> {
  const { argv, env, stderr } = context
  let command: Command | undefined
  try {
    command = readCommand(readCommandLine(argv), env)
    return await perform(command, context)
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${suite.name}: ${printable(error.message)}\n`)
      return failureCodes.usage
    }
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    stderr.write(
      `${suite.name}: a defect of the suite; please report this:\n${printableLines(withoutKeys(trace, command))}\n`,
    )
    return failureCodes.defect
  }
}

async function perform(command: Command, context: ProcessContext): Promise<number> {
  const { stdout } = context
  switch (command.kind) {
    case 'run':
      return runCommand(command, context)
    case 'judge':
      return judgeCommand(command, context)
    case 'compare':
      return compareCommand(command, context)
    case 'dry-run':
      checkOptions(command.options)
      stdout.write(dryRun(command.options.baseUrl, plan(command.options)))
      return 0
    case 'list':
      stdout.write(command.format === 'json' ? ruleListJson(catalogue) : ruleList(catalogue))
      return 0
    case 'help':
      stdout.write(helpOf(command.of))
      return 0
    case 'version':
      stdout.write(`${suite.name} ${suite.version}\n`)
      return 0
  }
}

/** The text of a defect, which may quote anything, without the keys. */
function withoutKeys(text: string, command: Command | undefined): string {
  if (command?.kind !== 'run') return text
  const { options, against } = command
  return [options, ...(against ? [against] : [])].reduce((safe, one) => redactorOf(one)(safe), text)
}
