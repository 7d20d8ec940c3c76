import { comparisonFormatNames } from '../comparison/formats.ts'
import { hang } from '../report/style.ts'
import { type CommandName, type FlagName, flags, flagsOf, formatHelp } from './arguments/flags.ts'

const indent = 27
const columns = 80

function entry(name: FlagName, help = flags[name].help): string {
  const { value } = flags[name]
  const flag = `  --${name}${value === undefined ? '' : ` ${value}`}`
  // a long name has a line of its own
  const left = flag.length < indent ? flag.padEnd(indent) : `${flag}\n${' '.repeat(indent)}`
  return left + hang(help, indent, columns)
}

/** The entries of some flags. */
const entries = (names: readonly FlagName[]): string => names.map((name) => entry(name)).join('\n')

const exitCodes = `Exit codes:
  0   every selected requirement holds or does not apply
  1   a requirement is broken, a known failure no longer fails, or a comparison has a regression
  2   the command line, or a file named there, is wrong
  3   something could not be judged: no response, a rejected key, an early end, no evidence
  70  a defect of the suite itself
  130 the run was interrupted
`

const helps: Readonly<Record<CommandName, string>> = {
  run: `Judges a deployment of the pet adoption service by every rule of the interface.

  pet-adoption-conformance BASE-URL [flags]                judges https://api.example.com/v1
  pet-adoption-conformance judge TRANSCRIPT.json [flags]   judges a saved transcript
  pet-adoption-conformance compare A.json B.json [flags]   compares two reports or transcripts
  pet-adoption-conformance --list                          prints every rule

Flags of a run:
${entries(flagsOf.run.filter((name) => !flagsOf.judge.includes(name)))}

Flags of a run and of judge:
${entries(flagsOf.judge)}

Environment:
  PET_ADOPTION_API_KEY        the key, if --key is not given
  PET_ADOPTION_THROTTLE_KEY   the throttle key, if --throttle-key is not given
  PET_ADOPTION_AGAINST_KEY    the key for --against; by default the first one
  PET_ADOPTION_AGAINST_THROTTLE_KEY
                              the throttle key for --against; by default the first one
  HTTPS_PROXY, HTTP_PROXY     the proxy for https and for http: http://USER:PASSWORD@HOST:PORT
  NO_PROXY                    hosts to reach without a proxy: names, their ends, addresses, networks, or *
  NO_COLOR, FORCE_COLOR       turn colour off or on; by default, only a terminal has it
  GITHUB_STEP_SUMMARY         the file to which --format github appends the markdown report

${exitCodes}`,
  judge: `Judges a saved transcript again. Sends nothing.

  pet-adoption-conformance judge TRANSCRIPT.json [flags]

Flags:
${entries(flagsOf.judge)}

${exitCodes}`,
  compare: `Compares two reports or transcripts: the first one is the baseline. Sends nothing.

  pet-adoption-conformance compare BASELINE.json CURRENT.json [flags]

Flags:
${flagsOf.compare.map((name) => entry(name, name === 'format' ? formatHelp(comparisonFormatNames) : undefined)).join('\n')}

Exit codes:
  0   nothing got worse
  1   something got worse
  2   the command line, or a file named there, is wrong
  3   nothing got worse, but one of the runs ended early
  70  a defect of the suite itself
`,
}

/** Returns the text that `--help` prints, of the program or of one of its commands. */
export function helpOf(command: CommandName): string {
  return helps[command]
}
