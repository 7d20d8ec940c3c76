import { type CommandName, commandNames, commands } from './commands.ts'
import { type FlagName, flagNames, flags } from './flags.ts'

/** Terminal width, in columns. */
const maxLineLength = 80

/** Formats the `--help` output for the given commands. An empty list stands for all commands. */
export function formatHelp(about: readonly CommandName[]): string {
  const names = about.length === 0 ? commandNames : about
  const accepted = flagNames.filter((name) => names.some((command) => flags[name].commands.includes(command)))
  return `Serves the pet adoption HTTP API.

${names.map(describeCommand).join('\n')}

All commands except serve and keygen require --data FILE or --postgres URL.

Flags, with their environment variables (a flag wins over its variable):

${accepted.map(describeFlag).join('\n')}

Exit codes:

  0   success
  1   the start or the command failed, or the shutdown ran out of time
  2   the command line or the environment is invalid
  70  a bug in the program
`
}

function describeCommand(name: CommandName): string {
  const { operand, help } = commands[name]
  const words = [name === 'serve' ? '[serve]' : name, operand, '[flags]'].filter((word) => word)
  return `  pet-adoption-service ${words.join(' ')}\n${foldLines(help)}`
}

function describeFlag(name: FlagName): string {
  const { env, value, default: fallback, help, secret } = flags[name]
  const title = [secret ? '' : `--${name} ${value ?? ''}`.trim(), env].filter((word) => word).join('   ')
  return `  ${title}\n${foldLines(fallback === undefined ? help : `${help} (default: ${fallback})`)}`
}

/** Wraps text at the maximum line length, indented by six spaces. Text in parentheses stays on one line. */
function foldLines(text: string): string {
  const lines: string[] = []
  let line = '     '
  for (const word of text.match(/\([^)]*\)|\S+/g) ?? []) {
    if (line.length + 1 + word.length > maxLineLength) {
      lines.push(line)
      line = '     '
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}
