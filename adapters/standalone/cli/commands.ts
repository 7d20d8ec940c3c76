/** A command, whose name has one or two words. */
export interface Command {
  /** What follows the name in the help. */
  readonly usage: string
  readonly help: string
  /** The placeholder of the argument after its name; without one, it accepts flags only. */
  readonly operand?: 'FILE' | 'ID'
  /** The argument where it is left out; without one, it is required. */
  readonly operandDefault?: string
}

/** Every command by name. In a usage, STORAGE stands for the flags that name a storage. */
const rows = {
  serve: { usage: '[flags]', help: 'serves requests until SIGTERM or SIGINT; the default' },
  keygen: {
    usage: '--id NAME --plan PLAN [--minute N --day N]',
    help: 'makes a key, shows it once, and prints its record for a keys file',
  },
  'keys issue': {
    usage: '--id NAME --plan PLAN [--minute N --day N] [--expires DATE] [--label TEXT] [--json] (STORAGE)',
    help: 'issues a key: shows it once, and stores its hash',
  },
  'keys list': { usage: '[--json] (STORAGE)', help: 'lists the keys with their plans and times, by id' },
  'keys rotate': {
    usage: '--id NAME [--overlap TIME] [--expires DATE] [--json] (STORAGE)',
    help: 'issues another key of the same plan, and ends the older ones',
  },
  'keys revoke': {
    usage: '--id NAME|--hash PREFIX [--json] (STORAGE)',
    help: 'revokes the keys of an id, or one key by the beginning of its hash',
  },
  'keys import': {
    usage: '(STORAGE) FILE',
    help: 'adds the keys of a file to a storage, all or none: what keys list --json prints, or a keys file',
    operand: 'FILE',
  },
  'animals set': {
    usage: 'ID [--name TEXT] [--category N] [--status STATUS] [--json] (STORAGE)',
    help: 'changes an animal, and shows it',
    operand: 'ID',
  },
  'animals remove': {
    usage: 'ID (STORAGE)',
    help: 'removes an animal; its id is not used again',
    operand: 'ID',
  },
  export: {
    usage: '(STORAGE) [FILE|-]',
    help: 'writes all animals with their ids, one in JSON a line; to stdout by default',
    operand: 'FILE',
    operandDefault: '-',
  },
  import: {
    usage: '[--keep-ids] (STORAGE) FILE|-',
    help: 'adds the animals of a file or of stdin, one in JSON a line: all or none',
    operand: 'FILE',
  },
  migrate: { usage: 'STORAGE', help: 'gives a storage of an earlier version the schema of this one' },
} as const

export type CommandName = keyof typeof rows

export const commandNames: readonly CommandName[] = Object.keys(rows) as CommandName[] // the table has no other keys

/** Every command by name. The command line and the help read this table. */
export const commands: Readonly<Record<CommandName, Command>> = rows

/** Returns the usage of a command in full. */
export function usageOf(name: CommandName): string {
  return rows[name].usage.replace('STORAGE', '--data FILE|--postgres URL')
}

/** Returns the commands that words name: one of them, or all that begin with the first word. */
export function commandsNamed([first = '', second = '']: readonly string[]): readonly CommandName[] {
  const one = commandNames.find((name) => name === first || name === `${first} ${second}`)
  return one ? [one] : commandNames.filter((name) => name.startsWith(`${first} `))
}
