import { type CommandName, commandNames, commands } from './commands.ts'
import { type FlagName, flagNames, flags } from './flags.ts'

/** Columns of a terminal. */
const width = 80

/** Returns the output of `--help`: about these commands, or about the program. */
export function formatHelp(about: readonly CommandName[]): string {
  const names = about.length === 0 ? commandNames : about
  const accepted = flagNames.filter((name) => names.some((command) => flags[name].commands.includes(command)))
  return `Serves the pet adoption HTTP API.

${names.map(describeCommand).join('\n')}

All commands but serve and keygen require --data FILE or --postgres URL. Flags,
each with its environment variable if it has one; a flag wins over its variable:

${accepted.map(describeFlag).join('\n')}

Exit codes:

  0   success
  1   the start or the command failed, or the shutdown was cut short
  2   the command line or the environment is wrong
  70  a defect of the program itself
`
}

function describeCommand(name: CommandName): string {
  const { operand, help } = commands[name]
  const words = [name === 'serve' ? '[serve]' : name, operand, '[flags]'].filter((word) => word)
  return `  pet-adoption-service ${words.join(' ')}\n${folded(help)}`
}

function describeFlag(name: FlagName): string {
  const { env, value, default: fallback, help, secret } = flags[name]
  const title = [secret ? '' : `--${name} ${value ?? ''}`.trim(), env].filter((word) => word).join('   ')
  return `  ${title}\n${folded(fallback === undefined ? help : `${help} (default: ${fallback})`)}`
}

/** Breaks a text into indented lines that fit a terminal. */
function folded(text: string): string {
  const lines: string[] = []
  let line = '     '
  for (const word of text.match(/\([^)]*\)|\S+/g) ?? []) {
    if (line.length + 1 + word.length > width) {
      lines.push(line)
      line = '     '
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}
