import type { HttpProxy } from '../network/proxy.ts'
import type { Secret } from '../redact/redactor.ts'
import type { Credential } from '../steps/step.ts'
import { type ExtraHeader, isDistinct, secretsInHeaders } from './extra-headers.ts'

/** The credentials of a run. */
export interface Secrets {
  readonly key: string
  readonly throttleKey: string | undefined
  /** Drawn at random for the run; no deployment has issued it. */
  readonly unknownKey: string
}

/** The texts that a run sends in its credentials; empty if there are none. */
interface Texts {
  readonly key: string
  /** What the scheme Basic sends of the key (RFC 7617): the user of it, without a password. */
  readonly basic: string
  readonly throttleKey: string
  readonly unknownKey: string
  /** The throttle key and one character more. No deployment has issued this text, and the next two. */
  readonly longer: string
  /** The throttle key without its last character. */
  readonly shorter: string
  /** The throttle key with each letter in the other case; the key itself if it has no letter. */
  readonly swappedCase: string
}

function textsOf({ key = '', throttleKey = '', unknownKey = '' }: Partial<Secrets>): Texts {
  const swap = (letter: string): string =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return {
    key,
    basic: key && btoa(`${key}:`),
    throttleKey,
    unknownKey,
    longer: `${throttleKey}.`,
    shorter: throttleKey.slice(0, -1),
    swappedCase: throttleKey.replace(/[a-z]/gi, swap),
  }
}

/** What replaces each text in a transcript. Those of the keys are variables in which a shell has them. */
export const placeholders: Texts = {
  key: '$PET_ADOPTION_API_KEY',
  basic: '$PET_ADOPTION_API_KEY:',
  throttleKey: '$PET_ADOPTION_THROTTLE_KEY',
  unknownKey: 'an-unknown-key',
  longer: '$PET_ADOPTION_THROTTLE_KEY.',
  shorter: 'the-throttle-key-without-its-last-character',
  swappedCase: 'the-throttle-key-in-the-other-case',
}

/** What a credential adds to a request: the `Authorization` or `X-API-Key` header, or `access_token` in the query. */
export interface Carried {
  readonly authorization?: string
  readonly apiKey?: string
  readonly accessToken?: string
}

/** Each credential on the wire (section 5; RFC 6750, sections 2.1 and 2.3). */
const carriers: Readonly<Record<Credential, (texts: Texts) => Carried>> = {
  key: ({ key }) => ({ authorization: `Bearer ${key}` }),
  'key-other-case': ({ key }) => ({ authorization: `bEaReR ${key}` }),
  'throttle-key': ({ throttleKey }) => ({ authorization: `Bearer ${throttleKey}` }),
  'throttle-key-in-query': ({ throttleKey }) => ({ accessToken: throttleKey }),
  'throttle-key-in-header': ({ throttleKey }) => ({ apiKey: throttleKey }),
  'throttle-key-longer': ({ longer }) => ({ authorization: `Bearer ${longer}` }),
  'throttle-key-shorter': ({ shorter }) => ({ authorization: `Bearer ${shorter}` }),
  'throttle-key-swapped-case': ({ swappedCase }) => ({ authorization: `Bearer ${swappedCase}` }),
  'unknown-key': ({ unknownKey }) => ({ authorization: `Bearer ${unknownKey}` }),
  'other-scheme': ({ basic }) => ({ authorization: `Basic ${basic}` }),
  'empty-token': () => ({ authorization: 'Bearer ' }),
  none: () => ({}),
}

/** Returns what a credential adds to a request. By default placeholders replace the secrets, as in a transcript. */
export function carry(credential: Credential, secrets?: Secrets): Carried {
  return carriers[credential](secrets === undefined ? placeholders : textsOf(secrets))
}

/** The texts that are replaced; a longer form contains the throttle key. */
const replaced = ['key', 'basic', 'throttleKey', 'unknownKey', 'shorter', 'swappedCase'] as const

/**
 * Returns the secrets of a run, each with its placeholder. What is sent and holds a key is a secret of its own, as a
 * deployment may return it in a coding of its own.
 */
export function secretsOf(secrets: Partial<Secrets>): readonly Secret[] {
  const texts = textsOf(secrets)
  return replaced
    .filter((name) => texts[name] !== '')
    .filter((name) => name !== 'swappedCase' || texts[name] !== texts.throttleKey)
    .map((name) => ({ value: texts[name], placeholder: placeholders[name === 'basic' ? 'key' : name] }))
}

/** Returns the secrets that a network adds: the values of extra headers, and the credentials of a proxy. */
export function secretsOfNetwork(
  headers: readonly ExtraHeader[],
  proxy: HttpProxy | undefined,
): readonly Secret[] {
  const ofProxy = [...(proxy?.secrets ?? []), proxy?.authorization?.replace(/^Basic /, '') ?? '']
  return [
    ...secretsInHeaders(headers),
    ...ofProxy.filter(isDistinct).map((value) => ({ value, placeholder: '[credentials of the proxy]' })),
  ]
}
