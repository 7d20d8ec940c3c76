import type { Secret } from './redact/redactor.ts'

/** The credentials of a run. */
export interface Secrets {
  readonly key: string
  readonly throttleKey: string | undefined
  /** Drawn for the run; no deployment has ever issued it. */
  readonly unknownKey: string
}

/** What stands in a transcript in a secret's place; the first two are what a shell puts the keys back in for. */
export const placeholders: Required<{ readonly [name in keyof Secrets]: string }> = {
  key: '$PET_ADOPTION_API_KEY',
  throttleKey: '$PET_ADOPTION_THROTTLE_KEY',
  unknownKey: 'an-unknown-key',
}

/** The secrets that a run has, each with its placeholder. */
export function secretsOf(secrets: Partial<Secrets>): readonly Secret[] {
  return Object.entries(placeholders).flatMap(([name, placeholder]) => {
    // the placeholders have the names of the secrets
    const value = secrets[name as keyof Secrets]
    return value === undefined ? [] : [{ value, placeholder }]
  })
}
