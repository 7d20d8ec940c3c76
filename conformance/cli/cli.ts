import { plan } from '../index.ts'
import { suite } from '../suite.ts'
import { printable, printableLines } from '../transcript/printable.ts'
import { readCommandLine } from './flags.ts'
import { dryRun, formatRuleList, help, judgeHelp } from './listing.ts'
import { judgeCommand, runCommand } from './run-command.ts'
import { createOptionsRedactor, runOptions, shownUrl } from './run-options.ts'
import { type ProcessContext, print } from './terminal.ts'
import { failureCodes, LostOutputError, oneOf, UsageError } from './values.ts'

export { formatProgramName } from './listing.ts'
export { createSink } from './terminal.ts'

/** Runs the command-line program and returns its exit code. Never throws. */
export async function cli(context: ProcessContext): Promise<number> {
  const { stderr } = context
  /** Replaces the keys in the text of a defect, which may quote anything. */
  const redaction = { redact: (text: string): string => text }
  try {
    return await perform(context, redaction)
  } catch (error) {
    if (error instanceof UsageError || error instanceof LostOutputError) {
      stderr.write(`${suite.name}: ${printable(error.message)}\n`)
      return error instanceof UsageError ? failureCodes.usage : failureCodes.defect
    }
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const safe = printableLines(redaction.redact(trace))
    stderr.write(`${suite.name}: a defect of the suite; please report this:\n${safe}\n`)
    return failureCodes.defect
  }
}

async function perform(
  context: ProcessContext,
  redaction: { redact: (text: string) => string },
): Promise<number> {
  const { argv, env, stdout } = context
  const commandLine = readCommandLine(argv)
  const { positionals, values, lists } = commandLine
  const show = async (what: string, text: string): Promise<0> => {
    await print(stdout, what, text)
    return 0
  }
  const listingFormat = () => oneOf('format', lists.format?.at(-1) ?? 'pretty', ['pretty', 'json'])
  if (values.help !== undefined) {
    const write = positionals[0] === 'judge' ? judgeHelp : help
    return show('the help', write(context.program))
  }
  if (values.version !== undefined) return show('the version', `${suite.name} ${suite.version}\n`)
  if (values.list !== undefined) return show('the rules', formatRuleList(listingFormat()))
  if (positionals[0] === 'judge') return judgeCommand(commandLine, context)
  const [baseUrl, ...others] = positionals
  if (baseUrl === undefined)
    throw new UsageError('the base URL is missing: give one such as https://api.example.com/v1')
  if (others.length > 0)
    throw new UsageError('the base URL was given twice: give it once, and each flag with two dashes')
  const options = runOptions(baseUrl, commandLine, env)
  if (values['dry-run'] !== undefined)
    return show('the requests', dryRun(shownUrl(options), plan(options), listingFormat()))
  redaction.redact = createOptionsRedactor(options)
  return runCommand(commandLine, options, context)
}
