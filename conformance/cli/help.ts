import { hang } from '../report/wrap.ts'
import { type FlagName, flags } from './flags.ts'

const indent = 27
const columns = 80

function entry(name: FlagName): string {
  const { value, help } = flags[name]
  const left = `  --${name}${value === undefined ? '' : ` ${value}`}`.padEnd(indent)
  return left + hang(help, indent, columns)
}

/** The flags that `judge` takes too, or the others. */
function entries(ofJudge: boolean): string {
  // the names of the table
  const names = Object.keys(flags) as FlagName[]
  return names
    .filter((name) => (flags[name].judge === true) === ofJudge)
    .map(entry)
    .join('\n')
}

/** What `--help` prints. */
export const help: string = `Judges a deployment of the pet adoption service by every rule of its specification.

  pet-adoption-conformance <base-url> [flags]         such as https://api.example.com/v1
  pet-adoption-conformance judge TRANSCRIPT [flags]   judges a saved transcript, sends nothing
  pet-adoption-conformance --list                     prints every rule

What to send:
${entries(false)}

What to judge and how to tell it, for judge too:
${entries(true)}

Environment:
  PET_ADOPTION_API_KEY        the key, where --key is not given
  PET_ADOPTION_THROTTLE_KEY   the throttle key, where --throttle-key is not given
  NO_COLOR, FORCE_COLOR       without colour, or with it, whatever stdout is
  GITHUB_STEP_SUMMARY         where --format github adds the markdown report

Exit codes:
  0   every requirement that was asked for holds, or does not apply
  1   a requirement is broken, or a known failure no longer fails
  2   the command line is wrong, or a file named there
  3   something could not be judged: no response, a rejected key, an early end, no evidence
  70  a defect of the suite itself
`
