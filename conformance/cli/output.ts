import { resolve } from 'node:path'
import { type Format, formatNames } from '../report/formats.ts'
import type { CommandLine } from './arguments/command-line.ts'
import { UsageError } from './arguments/errors.ts'
import { oneOf } from './arguments/values.ts'

/** A report to write. */
export interface ReportOutput<Name extends string = Format> {
  readonly format: Name
  /** Absent for stdout. */
  readonly file?: string
}

/** Where the reports go, how much the terminal shows, and what the exit code ignores. */
export interface Output {
  /** At most one of them is for stdout. Without one, the terminal has a summary. */
  readonly reports: readonly ReportOutput[]
  /** Whether the terminal shows failures and the outcome alone. */
  readonly isQuiet: boolean
  /** The file for the failures of the report. */
  readonly knownFailures?: string
  readonly allowInconclusive: boolean
}

/**
 * Reads the flags of the output.
 *
 * @throws {UsageError} A format is unknown, or two reports have one place.
 */
export function readOutput({ values, lists }: Pick<CommandLine, 'values' | 'lists'>): Output {
  return {
    reports: readReports({ values, lists }, formatNames),
    isQuiet: values.quiet !== undefined,
    ...(values['write-known-failures'] !== undefined && { knownFailures: values['write-known-failures'] }),
    allowInconclusive: values['allow-inconclusive'] !== undefined,
  }
}

/** Reads `--format` and `--out`. Throws a UsageError if a format is not among the names, or two reports have one place. */
export function readReports<Name extends string>(
  { values: { out }, lists }: Pick<CommandLine, 'values' | 'lists'>,
  names: readonly Name[],
): readonly ReportOutput<Name>[] {
  const named = (lists.format ?? ['pretty']).map((text) => readReport(text, names))
  const unnamed = named.filter(({ file }) => file === undefined)
  if (unnamed.length > 1) {
    throw new UsageError(
      `--format is given twice without a file: write --format ${unnamed.at(-1)?.format}=FILE`,
    )
  }
  if (out !== undefined && unnamed.length === 0)
    throw new UsageError('--out has nothing to write: each --format names its file')
  return named.map(({ format, file = out }) => ({ format, ...(file !== undefined && { file }) }))
}

function readReport<Name extends string>(text: string, names: readonly Name[]): ReportOutput<Name> {
  const [name = '', ...rest] = text.split('=')
  const format = oneOf('format', name, names)
  if (rest.length === 0) return { format }
  const file = rest.join('=')
  if (file === '') throw new UsageError(`--format ${format}= requires a file: --format ${format}=FILE`)
  return { format, file }
}

/** A file that the program writes, with what it contains. */
export type OutputFile = readonly [what: string, path: string]

/** Throws a UsageError if two of the files are one. */
export function checkDistinct(files: readonly OutputFile[]): void {
  const paths = files.map(([, path]) => resolve(path))
  const again = paths.findIndex((path, index) => paths.indexOf(path) < index)
  const [what, path] = files[again] ?? []
  const [first] = files[paths.indexOf(paths[again] ?? '')] ?? []
  if (what !== undefined)
    throw new UsageError(`the ${first} and the ${what} would both be written to ${path}: name another file`)
}
