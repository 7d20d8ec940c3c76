/** A command. Its name has one or two words. */
export interface Command {
  readonly help: string
  /** The argument's placeholder. Without a placeholder, the command accepts only flags. */
  readonly operand?: 'FILE' | 'FILE|-' | 'ID'
  /** The argument's default. Without a default, the argument is required. */
  readonly operandDefault?: string
}

/** All commands by name, in the order that `--help` shows. */
const rows = {
  serve: { help: 'serve requests until SIGTERM or SIGINT (default)' },
  keygen: {
    help: 'create a key with --id and --plan, and print it with its record for a keys file',
  },
  'keys issue': {
    help: 'create a key with --id and --plan; the key is printed once, and only its hash is stored',
  },
  'keys list': { help: 'list keys with plans and dates, sorted by id' },
  'keys rotate': { help: 'create a new key for --id with the same plan, and let older keys expire' },
  'keys revoke': { help: 'revoke all keys of --id, or the key whose hash starts with --hash' },
  'keys import': {
    help: 'store all keys from a keys file or from keys list --json, or none',
    operand: 'FILE',
  },
  'animals set': { help: 'change an animal and print it', operand: 'ID' },
  'animals remove': { help: 'remove an animal; its id is not reused', operand: 'ID' },
  export: {
    help: 'write all animals with their ids, one JSON object per line, to a file or to stdout (default)',
    operand: 'FILE|-',
    operandDefault: '-',
  },
  import: {
    help: 'store all animals from a file or from stdin, one JSON object per line, or none',
    operand: 'FILE|-',
  },
  backup: {
    help: 'copy a SQLite file to a new file, even while a server uses it; for PostgreSQL, use pg_dump',
    operand: 'FILE',
  },
  migrate: { help: 'upgrade tables from an earlier version' },
} as const

export type CommandName = keyof typeof rows

export const commandNames: readonly CommandName[] = Object.keys(rows) as CommandName[] // Object.keys returns string[]

export const commands: Readonly<Record<CommandName, Command>> = rows

/**
 * Returns the command that the words name. If only a group such as `keys` matches, returns every command in the group.
 */
export function findCommands([first = '', second = '']: readonly string[]): readonly CommandName[] {
  const one = commandNames.find((name) => name === first || name === `${first} ${second}`)
  return one ? [one] : commandNames.filter((name) => name.startsWith(`${first} `))
}
