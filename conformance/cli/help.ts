import { hang } from '../report/wrap.ts'
import { type FlagName, flagNames, flags } from './arguments/flags.ts'

const indent = 27
const columns = 80

function entry(name: FlagName): string {
  const { value, help } = flags[name]
  const left = `  --${name}${value === undefined ? '' : ` ${value}`}`.padEnd(indent)
  return left + hang(help, indent, columns)
}

/** The entries of the flags that `judge` accepts, or of the others. */
function entries(ofJudge: boolean): string {
  return flagNames
    .filter((name) => (flags[name].judge === true) === ofJudge)
    .map(entry)
    .join('\n')
}

/** The text that `--help` prints. */
export const help: string = `Judges a deployment of the pet adoption service by every rule of the interface.

  pet-adoption-conformance BASE-URL [flags]                judges https://api.example.com/v1
  pet-adoption-conformance judge TRANSCRIPT.json [flags]   judges a saved transcript
  pet-adoption-conformance compare A.json B.json [flags]   compares two reports or transcripts
  pet-adoption-conformance --list                          prints every rule

Flags of a run:
${entries(false)}

Flags of a run and of judge:
${entries(true)}

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

Exit codes:
  0   every selected requirement holds or does not apply
  1   a requirement is broken, a known failure no longer fails, or a comparison has a regression
  2   the command line, or a file named there, is wrong
  3   something could not be judged: no response, a rejected key, an early end, no evidence
  70  a defect of the suite itself
  130 the run was interrupted
`
