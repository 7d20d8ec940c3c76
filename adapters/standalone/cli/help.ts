import { type CommandName, commandNames, commands, usageOf } from './commands.ts'
import { type FlagName, flagNames, flags } from './flags.ts'

/** Columns of a terminal. */
const width = 80
const program = 'pet-adoption-service'

const exitCodes = `Exit codes:

  0   success
  1   the start or the command failed, or the shutdown was cut short
  2   the command line or the environment is wrong
  70  a defect of the program itself
`

/** Returns the output of `--help`: about these commands, or about the program. */
export function helpOf(about: readonly CommandName[]): string {
  const isOfProgram = about.length === 0
  const names = isOfProgram ? commandNames : about
  const isSecret = (name: FlagName) => flags[name].secret ?? false
  const accepted = flagNames.filter(
    (name) => !isSecret(name) && names.some((command) => flags[name].commands.includes(command)),
  )
  const secrets = flagNames
    .filter(isSecret)
    .map((name) => describedAs(flags[name].env ?? '', flags[name].help))
  return `${isOfProgram ? 'Serves the pet adoption HTTP API.\n\n' : ''}${names.map(commandLineOf).join('\n')}

${summary(names)}

${isOfProgram ? 'Flags, each with its environment variable if it has one; a flag wins over its\nvariable' : 'Flags'}:

${accepted.map(describe).join('\n')}
${isOfProgram ? `\nIn the environment only:\n\n${secrets.join('\n')}\n` : ''}
${exitCodes}`
}

function summary(names: readonly CommandName[]): string {
  const column = Math.max(...names.map(({ length }) => length)) + 2
  const described = (name: CommandName) => folded(commands[name].help, column, column).trimStart()
  return names.map((name) => name.padEnd(column) + described(name)).join('\n')
}

function commandLineOf(name: CommandName): string {
  return folded(`${program} ${name === 'serve' ? '[serve]' : name} ${usageOf(name)}`, 2, 6)
}

function describe(name: FlagName): string {
  const { env, value, default: fallback, help: text } = flags[name]
  const title = `--${name}${value === undefined ? '' : ` ${value}`}${env === undefined ? '' : `   ${env}`}`
  return describedAs(title, fallback === undefined ? text : `${text} (default: ${fallback})`)
}

function describedAs(title: string, text: string): string {
  return `  ${title}\n${folded(text, 6, 6)}`
}

/** Breaks a text into lines that fit a terminal. The first one is indented by `first`, the others by `others`. */
function folded(text: string, first: number, others: number): string {
  const lines: string[] = []
  let line = ' '.repeat(first - 1)
  for (const word of text.match(/\[[^\]]*\]|\([^)]*\)|\S+/g) ?? []) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ' '.repeat(others - 1)
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}
