import type { ServiceOptions } from '../../../core/index.ts'
import type { PetServerOptions } from '../../node-http/index.ts'
import { type CommandName, commandNames } from './commands.ts'
import { flagRows } from './flag-rows.ts'
import { type Parse, parseAsIs, parseServiceOption, parseWord } from './values.ts'

type Rows = typeof flagRows

export type FlagName = keyof Rows

/** Command groups that share flags. */
const commandGroups = {
  keys: ['keys issue', 'keys list', 'keys rotate', 'keys revoke'],
  storage: ['keys import', 'animals set', 'animals remove', 'export', 'import', 'backup', 'migrate'],
} as const

type Groups = typeof commandGroups

/** A row in the flag table. */
interface Row {
  /**
   * Environment variable. By default, each `serve` flag has a variable named after it: `PET_ADOPTION_` and the flag's
   * name.
   */
  readonly env?: string
  /** The value's placeholder. A flag without a placeholder or choices takes no value. */
  readonly value?: string
  /** Allowed values. */
  readonly choices?: readonly string[]
  /** Parses the value. The default accepts any text, or one of the choices. */
  readonly parse?: Parse<unknown>
  /** Default to show in `--help`. */
  readonly default?: string
  /**
   * Whether only the environment variable can set the value. Other users can see command-line arguments in process
   * lists.
   */
  readonly secret?: true
  /** Service option that the flag sets without further code. */
  readonly service?: keyof ServiceOptions
  /** Server option that the flag sets without further code. */
  readonly server?: keyof PetServerOptions
  readonly help: string
  /** Commands or groups that accept the flag, only `serve` by default. */
  readonly commands?: readonly (CommandName | keyof Groups | 'all')[]
}

type MemberOf<AnyRow> = AnyRow extends unknown ? keyof AnyRow : never

// A member that no code reads is a type error here.
void ({} satisfies Readonly<Record<Exclude<MemberOf<Rows[FlagName]>, keyof Row>, never>>)

/** A flag's value type, `true` for flags without a value. */
export type ValueOf<Name extends FlagName> = Rows[Name] extends { readonly parse: Parse<infer Value> }
  ? Value
  : Rows[Name] extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Rows[Name] extends { readonly value: string }
      ? string
      : true

/** Service or server options that flags can set. */
export type OptionsOf<Target extends 'service' | 'server'> = {
  readonly [Name in FlagName as Rows[Name] extends Readonly<Record<Target, infer Option extends string>>
    ? Option
    : never]?: ValueOf<Name>
}

type WordOf<Name extends FlagName> = Rows[Name] extends { readonly commands: readonly (infer Word)[] }
  ? Word
  : 'serve'

/** Commands that must read the flag. `readOptions` reads the flags that set an option. */
export type CommandOf<Name extends FlagName> = Rows[Name] extends
  | { readonly service: unknown }
  | { readonly server: unknown }
  ? never
  : WordOf<Name> extends infer Word
    ? Word extends keyof Groups
      ? Groups[Word][number]
      : Word
    : never

/** All flag names, in the order that `--help` shows. */
export const flagNames: readonly FlagName[] = Object.keys(flagRows) as FlagName[] // Object.keys returns string[]

/** A flag, with defaults filled in. */
export interface Flag extends Omit<Row, 'env' | 'commands' | 'parse'> {
  readonly env: string | undefined
  readonly commands: readonly CommandName[]
  readonly parse: Parse<unknown>
}

/** All flags by name. */
export const flags: Readonly<Record<FlagName, Flag>> = Object.fromEntries(
  flagNames.map((name) => [name, createFlag(name, flagRows[name])]),
) as Record<FlagName, Flag> // every name has an entry

function createFlag(name: FlagName, row: Row): Flag {
  const { choices, commands: words = ['serve'], help, service } = row
  const value = row.value ?? choices?.join('|')
  const commands = words.flatMap((word) =>
    word === 'all' ? commandNames : word === 'keys' || word === 'storage' ? commandGroups[word] : [word],
  )
  const hasVariable = words.includes('serve')
  const parse = row.parse ?? (choices ? parseWord(choices) : value === undefined ? () => true : parseAsIs)
  return {
    ...row,
    env: row.env ?? (hasVariable ? `PET_ADOPTION_${name.toUpperCase().replaceAll('-', '_')}` : undefined),
    ...(value !== undefined && { value }),
    help: help.replace('CHOICES', joinWithOr(choices ?? [])),
    commands,
    parse: service ? parseServiceOption(service, parse) : parse,
  }
}

/** Joins words, such as `free, pro or business`. */
export function joinWithOr(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
