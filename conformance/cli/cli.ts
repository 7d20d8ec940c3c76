import { plan } from '../index.ts'
import { suite } from '../suite.ts'
import { toPrintable, toPrintableLines } from '../transcript/printable.ts'
import { readCommandLine } from './flags.ts'
import { formatDryRun, formatHelp, formatJudgeHelp, formatRuleList } from './listing.ts'
import { executeJudge, executeRun } from './run-command.ts'
import { createOptionsRedactor, formatBaseUrl, readRunOptions } from './run-options.ts'
import { type ProcessContext, print } from './terminal.ts'
import { failureCodes, LostOutputError, parseChoice, UsageError } from './values.ts'

export { formatProgramName } from './listing.ts'
export { createSink } from './terminal.ts'

/**
 * Runs the program and returns its exit code. Never throws: an error in the command line is printed to stderr, and any
 * other error is printed as a defect, with its stack trace.
 */
export async function runCli(context: ProcessContext): Promise<number> {
  const { stderr } = context
  /** Redacts the keys in a stack trace, as soon as they are known. */
  const redaction = { redact: (text: string): string => text }
  try {
    return await runCommandLine(context, redaction)
  } catch (error) {
    if (error instanceof UsageError || error instanceof LostOutputError) {
      stderr.write(`${suite.name}: ${toPrintable(error.message)}\n`)
      return error instanceof UsageError ? failureCodes.usage : failureCodes.defect
    }
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const redactedTrace = toPrintableLines(redaction.redact(trace))
    stderr.write(`${suite.name}: internal error; please report it:\n${redactedTrace}\n`)
    return failureCodes.defect
  }
}

async function runCommandLine(
  context: ProcessContext,
  redaction: { redact: (text: string) => string },
): Promise<number> {
  const { argv, env, stdout } = context
  const commandLine = readCommandLine(argv)
  const { positionals, values, lists } = commandLine
  const showText = async (what: string, text: string): Promise<0> => {
    await print(stdout, what, text)
    return 0
  }
  const listingFormat = () => parseChoice('format', lists.format?.at(-1) ?? 'pretty', ['pretty', 'json'])
  if (values.help !== undefined) {
    const writeHelp = positionals[0] === 'judge' ? formatJudgeHelp : formatHelp
    return showText('the help', writeHelp(context.program))
  }
  if (values.version !== undefined) return showText('the version', `${suite.name} ${suite.version}\n`)
  if (values.list !== undefined) return showText('the rules', formatRuleList(listingFormat()))
  if (positionals[0] === 'judge') return executeJudge(commandLine, context)
  const [baseUrl, ...others] = positionals
  if (baseUrl === undefined)
    throw new UsageError('the base URL is missing: give one such as https://api.example.com/v1')
  if (others.length > 0)
    throw new UsageError('the base URL was given twice: give it once, and start each flag with two dashes')
  const options = readRunOptions(baseUrl, commandLine, env)
  if (values['dry-run'] !== undefined)
    return showText('the requests', formatDryRun(formatBaseUrl(options), plan(options), listingFormat()))
  redaction.redact = createOptionsRedactor(options)
  return executeRun(commandLine, options, context)
}
