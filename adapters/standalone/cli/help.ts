import { type FlagName, flagNames, flags } from './flags.ts'

const width = 72

const flagLines = flagNames.filter((name) => !flags[name].secret).map(describe)
const secretLines = flagNames
  .filter((name) => flags[name].secret)
  .map((name) => indent(flags[name].env ?? '', flags[name].help))

/** The output of `--help`. */
export const help: string = `Serves the pet adoption HTTP API.

  pet-adoption-service [serve] [flags]
  pet-adoption-service keygen --id NAME --plan PLAN [--minute N --day N]
  pet-adoption-service import --data FILE|--postgres URL ANIMALS.ndjson

serve   serves requests until SIGTERM or SIGINT; the default
keygen  makes a key, shows it once, and prints its record for a keys file
import  adds the animals of a file, one NewPet in JSON a line: all or none

Flags, each with its environment variable; a flag wins over its variable:

${flagLines.join('\n')}

In the environment only:

${secretLines.join('\n')}

Exit codes:

  0   success
  1   the start failed, or the shutdown was cut short
  2   the command line or the environment is wrong
  70  a defect of the program itself
`

function describe(name: FlagName): string {
  const { env, value, default: fallback, help: text } = flags[name]
  const title = `--${name}${value === undefined ? '' : ` ${value}`}${env === undefined ? '' : `   ${env}`}`
  return indent(title, fallback === undefined ? text : `${text} (default: ${fallback})`)
}

function indent(title: string, text: string): string {
  const lines = text.match(new RegExp(`.{1,${width}}(?: |$)`, 'g')) ?? []
  return [`  ${title}`, ...lines.map((line) => `      ${line.trimEnd()}`)].join('\n')
}
