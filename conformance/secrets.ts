import type { Secret } from './redact/redactor.ts'

/** The credentials of a run. */
export interface Secrets {
  readonly key: string
  readonly throttleKey: string | undefined
  /** Drawn at random for the run; no deployment has issued it. */
  readonly unknownKey: string
}

/** What replaces each secret in a transcript. The first two are variables in which a shell has the keys. */
export const placeholders: Required<{ readonly [name in keyof Secrets]: string }> = {
  key: '$PET_ADOPTION_API_KEY',
  throttleKey: '$PET_ADOPTION_THROTTLE_KEY',
  unknownKey: 'an-unknown-key',
}

/** Returns the secrets of a run, each with its placeholder. */
export function secretsOf(secrets: Partial<Secrets>): readonly Secret[] {
  return Object.entries(placeholders).flatMap(([name, placeholder]) => {
    // the placeholders have the names of the secrets
    const value = secrets[name as keyof Secrets]
    return value === undefined ? [] : [{ value, placeholder }]
  })
}
