import type { HttpProxy } from '../network/proxy.ts'
import type { Redact } from '../redact/evidence.ts'
import { createRedactor, type Secret } from '../redact/redactor.ts'
import type { Credential } from '../steps/step.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import type { ExtraHeader } from './extra-headers.ts'

/** The credentials of a run; one that it does not have is empty. */
export interface Secrets {
  readonly key: string
  readonly throttleKey: string
  /** Drawn at random for the run; no deployment has issued it. */
  readonly unknownKey: string
  /** An unknown key in the form of the real one. */
  readonly unknownKeyAlike: string
}

/** A text that credentials send. */
interface SecretText {
  readonly of: (secrets: Secrets) => string
  /** The placeholder in a transcript. For a key, it is the shell variable that holds it. */
  readonly shown: string
}

const texts = {
  key: { of: ({ key }) => key, shown: '$PET_ADOPTION_API_KEY' },
  // the scheme Basic sends the key as the user, without a password (RFC 7617)
  basic: { of: ({ key }) => key && btoa(`${key}:`), shown: '$PET_ADOPTION_API_KEY:' },
  throttleKey: { of: ({ throttleKey }) => throttleKey, shown: '$PET_ADOPTION_THROTTLE_KEY' },
  encoded: { of: ({ throttleKey }) => encodeURIComponent(throttleKey), shown: '$PET_ADOPTION_THROTTLE_KEY' },
  longer: { of: ({ throttleKey }) => `${throttleKey}.`, shown: '$PET_ADOPTION_THROTTLE_KEY.' },
  shorter: {
    of: ({ throttleKey }) => throttleKey.slice(0, -1),
    shown: 'the-throttle-key-without-its-last-character',
  },
  swappedCase: {
    of: ({ throttleKey }) => throttleKey.replace(/[a-z]/gi, swapped),
    shown: 'the-throttle-key-in-the-other-case',
  },
  unknownKey: { of: ({ unknownKey }) => unknownKey, shown: 'an-unknown-key' },
  unknownKeyAlike: { of: ({ unknownKeyAlike }) => unknownKeyAlike, shown: 'an-unknown-key-of-the-same-form' },
  empty: { of: () => '', shown: '' },
} satisfies Readonly<Record<string, SecretText>>

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

/** The placeholders of the two keys. */
export const placeholders: readonly string[] = [texts.key.shown, texts.throttleKey.shown]

/** The headers and the query that a credential adds to a request. */
export interface Carrier {
  readonly headers: HeaderList
  /** Behind a target without a query; empty for most credentials. */
  readonly query: string
}

const authorization =
  (scheme: string) =>
  (text: string): Carrier => ({ headers: [['authorization', `${scheme} ${text}`]], query: '' })
const bearer = authorization('Bearer')

/** Each credential on the wire (section 5; RFC 6750, sections 2.1 and 2.3). */
const carriers: Readonly<Record<Credential, readonly [write: (text: string) => Carrier, text: SecretText]>> =
  {
    key: [bearer, texts.key],
    'key-other-case': [authorization('bEaReR'), texts.key],
    'throttle-key': [bearer, texts.throttleKey],
    'throttle-key-in-query': [(text) => ({ headers: [], query: `?access_token=${text}` }), texts.encoded],
    'throttle-key-in-header': [(text) => ({ headers: [['x-api-key', text]], query: '' }), texts.throttleKey],
    'throttle-key-longer': [bearer, texts.longer],
    'throttle-key-shorter': [bearer, texts.shorter],
    'throttle-key-swapped-case': [bearer, texts.swappedCase],
    'unknown-key': [bearer, texts.unknownKey],
    'unknown-key-alike': [bearer, texts.unknownKeyAlike],
    'other-scheme': [authorization('Basic'), texts.basic],
    'token-scheme': [authorization('Token'), texts.key],
    'no-scheme': [(text) => ({ headers: [['authorization', text]], query: '' }), texts.key],
    'empty-token': [bearer, texts.empty],
    none: [() => ({ headers: [], query: '' }), texts.empty],
  }

/**
 * Returns the parts that a credential adds to a request. By default placeholders replace the secrets, as in a
 * transcript.
 */
export function carry(credential: Credential, secrets?: Secrets): Carrier {
  const [write, { of, shown }] = carriers[credential]
  return write(secrets === undefined ? shown : of(secrets))
}

/**
 * Returns the secrets of a run, each with its placeholder. What is sent and holds a key is a secret of its own, as a
 * deployment may return it in a coding of its own. The longer form contains the throttle key.
 */
export function listSecrets(
  some: { readonly [Name in keyof Secrets]?: string | undefined },
): readonly Secret[] {
  const { key = '', throttleKey = '', unknownKey = '', unknownKeyAlike = '' } = some
  const { basic, unknownKeyAlike: alike, shorter, swappedCase } = texts
  return [texts.key, basic, texts.throttleKey, texts.unknownKey, alike, shorter, swappedCase]
    .map(({ of, shown }) => ({
      value: of({ key, throttleKey, unknownKey, unknownKeyAlike }),
      placeholder: shown,
    }))
    .filter(({ value }) => value !== '')
}

/** Creates the redactor of a run: for its keys, the values of its headers and the credentials of its proxy. */
export function createRunRedactor({ headers, proxy }: RunSecrets, secrets: Partial<Secrets>): Redact {
  return createRedactor([...listSecrets(secrets), ...listNetworkSecrets(headers, proxy)])
}

/** The options of a run, validated, whose values are secret. */
interface RunSecrets {
  readonly headers: readonly ExtraHeader[]
  readonly proxy?: HttpProxy
}

/** Returns known failures without secrets in their reasons. */
export function redactReasons<Failure extends { readonly reason: string }>(
  failures: readonly Failure[],
  redact: Redact,
): readonly Failure[] {
  return failures.map((failure) => ({ ...failure, reason: redact(failure.reason) }))
}

/** Returns the secrets that a network adds: the values of extra headers, and the credentials of a proxy. */
export function listNetworkSecrets(
  headers: readonly ExtraHeader[],
  proxy: HttpProxy | undefined,
): readonly Secret[] {
  const ofProxy = proxy?.secrets.map((value) => ({ value, placeholder: '[credentials of the proxy]' })) ?? []
  return headers
    .flatMap(({ value, shown, parts = [] }) => [{ value, placeholder: shown }, ...parts])
    .concat(ofProxy)
    .filter(({ value }) => isDistinct(value))
}

/** Words of the interface, which stand in responses whoever sends them. */
const words = new Set(
  'accept available bearer categoryid code false id json message name null pending sold status true unknown'.split(
    ' ',
  ),
)

/**
 * Returns `true` if a value can be distinguished from the words that any deployment returns. If not, it is replaced only in requests: to replace it
 * in responses would falsify the evidence.
 */
function isDistinct(value: string): boolean {
  const lower = value.toLowerCase()
  return !words.has(lower) && !/^\d{0,11}$|^.$/.test(lower) && !lower.includes('application/json')
}
