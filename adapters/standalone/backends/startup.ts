import { StartupError } from '../../backend/index.ts'
import { StartError, UsageError } from '../errors.ts'

/** The option that a backend's message names, instead of the flag or variable. */
const urlOption = 'options.url'

/**
 * Converts a backend's `StartupError` into an error that names the flag or variable. Returns other errors unchanged.
 */
export function toSettingError(source: string, cause: unknown): unknown {
  if (!(cause instanceof StartupError)) return cause
  const { code, message } = cause
  const text = message.startsWith(urlOption) ? message.replace(urlOption, source) : `${source}: ${message}`
  return code === 'missing_driver' || code === 'invalid_address'
    ? new UsageError(text)
    : new StartError(text, { cause })
}
