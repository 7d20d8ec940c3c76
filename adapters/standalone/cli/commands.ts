/** A command, whose name has one or two words. */
export interface Command {
  readonly help: string
  /** The placeholder of the argument after its name; without one, it accepts flags only. */
  readonly operand?: 'FILE' | 'FILE|-' | 'ID'
  /** The default of the argument; without one, it is required. */
  readonly operandDefault?: string
}

/** Every command by name. The command line and the help read this table. */
const rows = {
  serve: { help: 'serves requests until SIGTERM or SIGINT; the default' },
  keygen: {
    help: 'makes a key of an --id and a --plan, shows it once, and prints its record for a keys file',
  },
  'keys issue': { help: 'issues a key of an --id and a --plan: shows it once, and stores its hash' },
  'keys list': { help: 'lists the keys with their plans and times, by id' },
  'keys rotate': { help: 'issues another key of an --id with the same plan, and ends the older ones' },
  'keys revoke': { help: 'revokes the keys of an --id, or one key by the beginning of its --hash' },
  'keys import': {
    help: 'adds the keys of a file to a storage, all or none: what keys list --json prints, or a keys file',
    operand: 'FILE',
  },
  'animals set': { help: 'changes an animal, and shows it', operand: 'ID' },
  'animals remove': { help: 'removes an animal; its id is not used again', operand: 'ID' },
  export: {
    help: 'writes all animals with their ids, one in JSON a line; to stdout by default',
    operand: 'FILE|-',
    operandDefault: '-',
  },
  import: {
    help: 'adds the animals of a file or of stdin, one in JSON a line: all or none',
    operand: 'FILE|-',
  },
  backup: {
    help: 'copies a SQLite file, also while it is served, into a new FILE; pg_dump does it for PostgreSQL',
    operand: 'FILE',
  },
  migrate: { help: 'gives a storage of an earlier version the schema of this one' },
} as const

export type CommandName = keyof typeof rows

export const commandNames: readonly CommandName[] = Object.keys(rows) as CommandName[] // the table has no other keys

export const commands: Readonly<Record<CommandName, Command>> = rows

/** Returns the commands that words name: one of them, or all that begin with the first word. */
export function findCommands([first = '', second = '']: readonly string[]): readonly CommandName[] {
  const one = commandNames.find((name) => name === first || name === `${first} ${second}`)
  return one ? [one] : commandNames.filter((name) => name.startsWith(`${first} `))
}
