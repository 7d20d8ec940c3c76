import type { HttpProxy } from '../network/proxy.ts'
import type { Secret } from '../redact/redactor.ts'
import { type ExtraHeader, isDistinct, secretsInHeaders } from './extra-headers.ts'

/** The credentials of a run. */
export interface Secrets {
  readonly key: string
  readonly throttleKey: string | undefined
  /** Drawn at random for the run; no deployment has issued it. */
  readonly unknownKey: string
}

/** Texts that are nearly the throttle key, and that no deployment has issued. */
export interface Forms {
  /** The key and one character more. */
  readonly longer: string
  /** The key without its last character. */
  readonly shorter: string
  /** The key with each letter in the other case; the key itself if it has no letter. */
  readonly swappedCase: string
}

/** Returns the forms of a throttle key. */
export function formsOf(throttleKey: string): Forms {
  return {
    longer: `${throttleKey}.`,
    shorter: throttleKey.slice(0, -1),
    swappedCase: throttleKey.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    ),
  }
}

/** What replaces each secret in a transcript. The first two are variables in which a shell has the keys. */
export const placeholders: Required<{ readonly [name in keyof (Secrets & Forms)]: string }> = {
  key: '$PET_ADOPTION_API_KEY',
  throttleKey: '$PET_ADOPTION_THROTTLE_KEY',
  unknownKey: 'an-unknown-key',
  longer: '$PET_ADOPTION_THROTTLE_KEY.',
  shorter: 'the-throttle-key-without-its-last-character',
  swappedCase: 'the-throttle-key-in-the-other-case',
}

/** The secrets that are replaced; a longer form contains the throttle key. */
const names = ['key', 'throttleKey', 'unknownKey', 'shorter', 'swappedCase'] as const

/** Returns what the scheme Basic sends of a key (RFC 7617): the user of it, without a password. */
export function basicOf(key: string): string {
  return btoa(`${key}:`)
}

/**
 * Returns the secrets of a run, each with its placeholder. What is sent and holds a key is a secret of its own, as a
 * deployment may return it in a coding of its own.
 */
export function secretsOf(secrets: Partial<Secrets>): readonly Secret[] {
  const { throttleKey } = secrets
  const all: Partial<Secrets & Forms> = {
    ...(throttleKey !== undefined && formsOf(throttleKey)),
    ...secrets,
  }
  return names.flatMap((name) => {
    const value = all[name]
    const isKey = name === 'swappedCase' && value === throttleKey
    if (!value || isKey) return []
    const placeholder = placeholders[name]
    return name === 'key'
      ? [value, basicOf(value)].map((text) => ({ value: text, placeholder }))
      : [{ value, placeholder }]
  })
}

/** Returns the secrets that a network adds: the values of extra headers, and the credentials of a proxy. */
export function secretsOfNetwork(
  headers: readonly ExtraHeader[],
  proxy: HttpProxy | undefined,
): readonly Secret[] {
  const ofProxy = [...(proxy?.secrets ?? []), proxy?.authorization?.replace(/^Basic /, '') ?? ''].filter(
    isDistinct,
  )
  return [
    ...secretsInHeaders(headers),
    ...ofProxy.map((value) => ({ value, placeholder: '[credentials of the proxy]' })),
  ]
}
