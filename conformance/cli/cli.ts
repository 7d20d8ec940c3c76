import { catalogue, plan } from '../index.ts'
import { suite } from '../suite.ts'
import { printable, printableLines } from '../transcript/printable.ts'
import { readCommandLine } from './arguments/command-line.ts'
import { withConfig } from './arguments/config.ts'
import { flagsOf } from './arguments/flags.ts'
import { checkOptions, redactorOf, runOptions } from './arguments/run-options.ts'
import { failureCodes, oneOf, UsageError } from './arguments/values.ts'
import { dryRun, ruleList, ruleListJson } from './dry-run.ts'
import { helpOf } from './help.ts'
import type { ProcessContext } from './process-context.ts'
import { readRun, runCommand } from './run-command.ts'
import { compareCommand, judgeCommand } from './saved-commands.ts'

/** Runs the command-line program and returns its exit code. Never throws. */
export async function cli(context: ProcessContext): Promise<number> {
  const { stderr } = context
  /** Replaces the keys in the text of a defect, which may quote anything. */
  const redactors: ((text: string) => string)[] = []
  try {
    return await perform(context, redactors)
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${suite.name}: ${printable(error.message)}\n`)
      return failureCodes.usage
    }
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const safe = redactors.reduce((text, redact) => redact(text), trace)
    stderr.write(`${suite.name}: a defect of the suite; please report this:\n${printableLines(safe)}\n`)
    return failureCodes.defect
  }
}

async function perform(context: ProcessContext, redactors: ((text: string) => string)[]): Promise<number> {
  const { argv, env, stdout } = context
  const commandLine = readCommandLine(argv)
  const [first] = commandLine.positionals
  const name = first === 'judge' || first === 'compare' ? first : 'run'
  const { help, version, list, format = 'pretty' } = commandLine.values
  if (help !== undefined) stdout.write(helpOf(name))
  else if (version !== undefined) stdout.write(`${suite.name} ${suite.version}\n`)
  else if (list !== undefined)
    stdout.write(
      oneOf('format', format, ['pretty', 'json']) === 'json' ? ruleListJson(catalogue) : ruleList(catalogue),
    )
  else if (name === 'judge') return judgeCommand(commandLine, context)
  else if (name === 'compare') return compareCommand(commandLine, context)
  else {
    const settings = withConfig(commandLine, flagsOf.run)
    const [baseUrl = settings.baseUrl, ...others] = settings.positionals
    if (baseUrl === undefined)
      throw new UsageError('the base URL is missing: give one such as https://api.example.com/v1')
    if (others.length > 0)
      throw new UsageError('the base URL is given twice: give it once, and each flag with two dashes')
    const options = runOptions(baseUrl, settings, env)
    if (settings.values['dry-run'] === undefined) {
      const command = readRun(settings, options, env)
      for (const each of [options, command.against])
        if (each !== undefined) redactors.push((text) => redactorOf(each)(text))
      return runCommand(command, context)
    }
    checkOptions(options)
    stdout.write(dryRun(baseUrl, plan(options)))
  }
  return 0
}
