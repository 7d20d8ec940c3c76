import type { HttpProxy } from '../network/proxy.ts'
import type { Secret } from '../redact/redactor.ts'
import type { Credential } from '../steps/step.ts'
import type { HeaderList } from '../transcript/transcript.ts'
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
  /** Writes one of them in a query. */
  readonly inQuery: (text: string) => string
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
    inQuery: encodeURIComponent,
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
  inQuery: (text) => text,
}

/** What a credential adds to a request. */
export interface Carrier {
  readonly headers: HeaderList
  /** Behind a target without a query; empty for most credentials. */
  readonly query: string
}

const bearer = (token: string, scheme = 'Bearer'): Carrier => ({
  headers: [['authorization', `${scheme} ${token}`]],
  query: '',
})

/** Each credential on the wire (section 5; RFC 6750, sections 2.1 and 2.3). */
const carriers: Readonly<Record<Credential, (texts: Texts) => Carrier>> = {
  key: ({ key }) => bearer(key),
  'key-other-case': ({ key }) => bearer(key, 'bEaReR'),
  'throttle-key': ({ throttleKey }) => bearer(throttleKey),
  'throttle-key-in-query': ({ throttleKey, inQuery }) => ({
    headers: [],
    query: `?access_token=${inQuery(throttleKey)}`,
  }),
  'throttle-key-in-header': ({ throttleKey }) => ({ headers: [['x-api-key', throttleKey]], query: '' }),
  'throttle-key-longer': ({ longer }) => bearer(longer),
  'throttle-key-shorter': ({ shorter }) => bearer(shorter),
  'throttle-key-swapped-case': ({ swappedCase }) => bearer(swappedCase),
  'unknown-key': ({ unknownKey }) => bearer(unknownKey),
  'other-scheme': ({ basic }) => bearer(basic, 'Basic'),
  'empty-token': () => bearer(''),
  none: () => ({ headers: [], query: '' }),
}

/** Returns what a credential adds to a request. By default placeholders replace the secrets, as in a transcript. */
export function carry(credential: Credential, secrets?: Secrets): Carrier {
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
