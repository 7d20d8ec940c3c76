import type { RunOptions, TlsOptions } from '../../index.ts'
import { tlsProblem } from '../../network/tls-options.ts'
import { readText } from '../files.ts'
import type { CommandLine } from './command-line.ts'
import { UsageError } from './errors.ts'
import type { FlagName } from './flags.ts'

const files = [
  ['ca', 'ca', 'certificates of the authorities'],
  ['cert', 'cert', 'certificate of the client'],
  ['key', 'key-file', 'private key'],
] as const

/**
 * Reads the files of `--ca`, `--cert` and `--key-file`.
 *
 * @throws {UsageError} A file cannot be read or has other content, or one of `--cert` and `--key-file` is missing.
 */
export function tlsOptions(values: CommandLine['values']): Pick<RunOptions, 'tls'> {
  checkPair(values, 'cert', 'key-file')
  checkPair(values, 'key-file', 'cert')
  const texts = files.flatMap(([option, flag, what]) => {
    const path = values[flag]
    return path === undefined ? [] : [[option, readText(what, path)] as const]
  })
  const tls: TlsOptions = {
    ...Object.fromEntries(texts),
    ...(values.insecure !== undefined && { rejectUnauthorized: false }),
  }
  const found = tlsProblem(tls)
  const flag = files.find(([option]) => option === found?.option)?.[1]
  if (found !== undefined && flag !== undefined)
    throw new UsageError(`--${flag} ${values[flag]}: the file ${found.problem}`)
  return Object.keys(tls).length === 0 ? {} : { tls }
}

function checkPair(values: CommandLine['values'], flag: FlagName, other: FlagName): void {
  if (values[flag] !== undefined && values[other] === undefined)
    throw new UsageError(`--${flag} requires --${other}: the certificate of the client and its private key`)
}
