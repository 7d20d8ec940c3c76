import { catalogue, type Plan, type PlannedExchange } from '../index.ts'
import { hang } from '../report/pretty.ts'
import { mostWaited } from '../run/pace.ts'
import { suite } from '../suite.ts'
import { plural, printable, printableJson } from '../transcript/printable.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import { type FlagName, flagNames, flags } from './flags.ts'

/** Returns the text that `judge --help` prints: judge takes fewer flags than a run. */
export const judgeHelp = (program: string): string => `Judges a saved transcript of a run. Sends nothing.

  ${program} judge TRANSCRIPT.json [flags]

Flags:
${entries(flagNames.judge)}

Exit codes:
${exitCodes}`

const indent = 27
const columns = 80

/** The lines of the help on some flags. */
const entries = (names: readonly FlagName[]): string =>
  names
    .map((name) => {
      const { value, help } = flags[name]
      const flag = `  --${name}${value === undefined ? '' : ` ${value}`}`
      // a long name has a line of its own
      const left = flag.length < indent ? flag.padEnd(indent) : `${flag}\n${' '.repeat(indent)}`
      return left + hang(help, indent, columns)
    })
    .join('\n')

const exitCodes = `  0   every selected requirement holds or does not apply
  1   a requirement is broken, or a known failure no longer fails
  2   the command line, or a file named there, is wrong; nothing was sent
  3   something could not be judged: no response, a rejected key, an early end, no evidence
  70  a defect of the suite itself, or a report could not be written
`

/** Returns how to start the program, as it was started: `script` is the path of what runs. */
export function formatProgramName(
  script: string,
  versions: NodeJS.ProcessVersions = process.versions,
): string {
  const isPackageOfDeno = versions.deno !== undefined && /[\\/](?:npm|\.deno)[\\/]/.test(script)
  return isPackageOfDeno ? `deno run -A npm:pet-adoption-service/${suite.name}` : suite.name
}

/** Returns the text that `--help` prints. `program` is how to start it. */
export const help = (
  program: string,
): string => `Judges a deployment of the pet adoption service by every rule of the interface.

  ${program} BASE-URL [flags]                judges https://api.example.com/v1
  ${program} judge TRANSCRIPT.json [flags]   judges a saved transcript, and sends nothing
  ${program} --list                          prints every rule

Flags of a run:
${entries(flagNames.run)}

Flags of a run and of judge:
${entries(flagNames.judge)}

Environment:
  PET_ADOPTION_API_KEY        the key, if --key is not given
  PET_ADOPTION_THROTTLE_KEY   the throttle key, if --throttle-key is not given
  HTTPS_PROXY, HTTP_PROXY     the proxy for https and for http: http://USER:PASSWORD@HOST:PORT
  NO_PROXY                    hosts to reach without a proxy: names, their ends, addresses, or *
  NO_COLOR, FORCE_COLOR       turn colour off or on; by default, only a terminal has it
  GITHUB_STEP_SUMMARY         the file to which --format github appends the markdown report

Exit codes:
${exitCodes}  130 the run was interrupted
`

function line({ method, target, credential, body, times, when }: PlannedExchange, index: number): string {
  const notes = [times > 1 && `up to ${times} times`, when].filter(Boolean)
  const request = `${method.padEnd(4)} ${printable(target)}`.padEnd(40)
  const first = `${String(index + 1).padStart(4)}  ${request}  ${[credential, ...notes].join(', ')}`
  return body === undefined ? first : `${first}\n${' '.repeat(11)}${printable(body)}`
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

/** Describes the cost of a plan: requests by key, their share of a Free key's limits (section 8), animals. */
export function cost(plan: Plan): readonly string[] {
  const { requests, repeats, keyed, throttled, creations, pace } = plan
  const [freeMinute, freeDay] = ratePlans.free
  return [
    `At most ${plural(requests, 'request')}, ${keyed} of them with the key: ${percent(keyed / freeMinute)} of a Free key's minute (${freeMinute}) and ${percent(keyed / freeDay)} of its day (${freeDay.toLocaleString('en')}).`,
    ...(throttled > 0 ? [`At most ${throttled} with the throttle key, which is driven to its limit.`] : []),
    ...(repeats > 0
      ? [`Up to ${repeats} more GETs may repeat one whose connection closed or whose response is a surprise.`]
      : []),
    `It waits while the limit of the key is used up, and once for a 429: ${mostWaited / 1000} s in all at most.`,
    ...(pace === undefined
      ? []
      : [`At ${pace} requests a second, that takes up to ${Math.ceil(requests / pace)} s.`]),
    creations.most === 0
      ? 'No animal can be created: only GET is sent.'
      : `At most ${plural(creations.most, 'animal')} could be created: ${creations.validBodies} bodies are valid, and after ${creations.most - creations.validBodies} invalid ones are accepted no more are sent.`,
  ]
}

/** The format of a listing: text for people, or JSON. */
export type ListingFormat = 'pretty' | 'json'

/** Returns what `--dry-run` prints: the requests of a run, and their cost. */
export function dryRun(baseUrl: string, plan: Plan, format: ListingFormat): string {
  if (format === 'json') return `${printableJson({ target: { baseUrl }, ...plan })}\n`
  return [
    `Profile ${plan.profile} would send to ${baseUrl}, one at a time:`,
    '',
    ...plan.exchanges.map(line),
    '',
    ...cost(plan),
    'Nothing was sent.',
    '',
  ].join('\n')
}

/** Returns what `--list` prints: the id, level, section, profile and title of each rule; as JSON, its statement too. */
export function formatRuleList(format: ListingFormat): string {
  if (format === 'json') return `${printableJson(catalogue.map(({ judge: _, ...facts }) => facts))}\n`
  const lines = catalogue.map(({ id, level, section, profile, title }) =>
    [id.padEnd(9), level.padEnd(6), section.padEnd(4), profile.padEnd(7), title].join('  '),
  )
  return `${lines.join('\n')}\n`
}
