/** The exit codes of a program that judged nothing; those of a report are in `exitCode`. */
export const failureCodes = {
  /** The command line, or a file named there, is wrong. */
  usage: 2,
  /** The suite itself has a defect. */
  defect: 70,
} as const

/** A mistake on the command line or in a file named there. Its message is one line: what is wrong, and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads a whole number of any size. Throws a UsageError that names the flag. */
export function integer(flag: string, text: string): bigint {
  if (/^-?\d+$/.test(text)) return BigInt(text)
  throw new UsageError(`--${flag} must be a whole number`)
}

/** Reads a decimal number. Throws a UsageError that names the flag. */
export function decimal(flag: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} must be a number, such as 2 or 0.5`)
}

/** Reads one of a few words. Throws a UsageError that names the flag and the words. */
export function oneOf<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text)
  if (found === undefined) throw new UsageError(`--${flag} must be one of ${words.join(', ')}`)
  return found
}

const isoForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/** Returns an ISO date, or a date and time with its zone, in Unix milliseconds; `undefined` for any other text. */
export function isoTime(text: string): number | undefined {
  const time = Date.parse(text)
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  const isRealDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10))
  return isoForm.test(text) && isRealDay && !Number.isNaN(time) ? time : undefined
}

/**
 * Reads ids and families of rules (`AUTH` is every AUTH rule), separated by commas, in any case. Throws a UsageError
 * that names the first unknown one.
 */
export function ruleIds(flag: string, text: string, known: readonly string[]): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toUpperCase())
  return names.flatMap((name) => {
    const ids = known.filter((id) => id === name || id.startsWith(`${name}-`))
    if (ids.length > 0) return ids
    throw new UsageError(`--${flag} names the unknown rule ${JSON.stringify(name)}: --list prints all rules`)
  })
}
