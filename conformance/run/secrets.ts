import type { HttpProxy } from '../network/proxy.ts'
import type { Redact } from '../redact/evidence.ts'
import { createRedactor, type Secret } from '../redact/redactor.ts'
import type { Credential } from '../steps/step.ts'
import type { HeaderList } from '../transcript/transcript.ts'
import type { ExtraHeader } from './extra-headers.ts'

/** A run's keys. */
export interface Secrets {
  readonly apiKey: string
  readonly throttleKey: string
  /** A key that the server does not know. */
  readonly unknownKey: string
  /** An unknown key that looks like the API key. */
  readonly unknownKeyAlike: string
}

/** A secret in one form, such as Base64. */
interface SecretForm {
  readonly read: (secrets: Secrets) => string
  /** Placeholder that replaces the secret in the transcript. */
  readonly shown: string
}

const secretForms = {
  key: { read: ({ apiKey }) => apiKey, shown: '$PET_ADOPTION_API_KEY' },
  // The key is the user name, and the password is empty (RFC 7617).
  basic: { read: ({ apiKey }) => apiKey && btoa(`${apiKey}:`), shown: '$PET_ADOPTION_API_KEY:' },
  throttleKey: { read: ({ throttleKey }) => throttleKey, shown: '$PET_ADOPTION_THROTTLE_KEY' },
  encoded: {
    read: ({ throttleKey }) => encodeURIComponent(throttleKey),
    shown: '$PET_ADOPTION_THROTTLE_KEY',
  },
  longer: { read: ({ throttleKey }) => `${throttleKey}.`, shown: '$PET_ADOPTION_THROTTLE_KEY.' },
  shorter: {
    read: ({ throttleKey }) => throttleKey.slice(0, -1),
    shown: 'the-throttle-key-without-its-last-character',
  },
  swappedCase: {
    read: ({ throttleKey }) => throttleKey.replace(/[a-z]/gi, swapCase),
    shown: 'the-throttle-key-in-the-other-case',
  },
  unknownKey: { read: ({ unknownKey }) => unknownKey, shown: 'an-unknown-key' },
  unknownKeyAlike: {
    read: ({ unknownKeyAlike }) => unknownKeyAlike,
    shown: 'an-unknown-key-of-the-same-form',
  },
  empty: { read: () => '', shown: '' },
} satisfies Readonly<Record<string, SecretForm>>

function swapCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

/** Placeholders that are environment variables, so that printed `curl` commands work. */
export const placeholders: readonly string[] = [secretForms.key.shown, secretForms.throttleKey.shown]

/** The headers and the query that carry a credential. */
export interface CredentialParts {
  readonly headers: HeaderList
  /** Query string with its `?`, or an empty string. */
  readonly query: string
}

const writeAuthorization =
  (scheme: string) =>
  (text: string): CredentialParts => ({ headers: [['authorization', `${scheme} ${text}`]], query: '' })
const bearer = writeAuthorization('Bearer')

/** How each credential is sent (section 5; RFC 6750, sections 2.1 and 2.3). */
const credentialForms: Readonly<
  Record<Credential, readonly [write: (text: string) => CredentialParts, text: SecretForm]>
> = {
  key: [bearer, secretForms.key],
  'key-other-case': [writeAuthorization('bEaReR'), secretForms.key],
  'throttle-key': [bearer, secretForms.throttleKey],
  'throttle-key-in-query': [(text) => ({ headers: [], query: `?access_token=${text}` }), secretForms.encoded],
  'throttle-key-in-header': [
    (text) => ({ headers: [['x-api-key', text]], query: '' }),
    secretForms.throttleKey,
  ],
  'throttle-key-longer': [bearer, secretForms.longer],
  'throttle-key-shorter': [bearer, secretForms.shorter],
  'throttle-key-swapped-case': [bearer, secretForms.swappedCase],
  'unknown-key': [bearer, secretForms.unknownKey],
  'unknown-key-alike': [bearer, secretForms.unknownKeyAlike],
  'other-scheme': [writeAuthorization('Basic'), secretForms.basic],
  'token-scheme': [writeAuthorization('Token'), secretForms.key],
  'no-scheme': [(text) => ({ headers: [['authorization', text]], query: '' }), secretForms.key],
  'empty-token': [bearer, secretForms.empty],
  none: [() => ({ headers: [], query: '' }), secretForms.empty],
}

/** Writes a credential for a request. Without `secrets`, it is written with placeholders for the transcript. */
export function writeCredential(credential: Credential, secrets?: Secrets): CredentialParts {
  const [write, { read, shown }] = credentialForms[credential]
  return write(secrets === undefined ? shown : read(secrets))
}

/** Lists every form in which a secret is sent, with its placeholder, as a response may repeat it. */
export function listSecrets(
  some: { readonly [Name in keyof Secrets]?: string | undefined },
): readonly Secret[] {
  const { apiKey = '', throttleKey = '', unknownKey = '', unknownKeyAlike = '' } = some
  const { basic, unknownKeyAlike: alike, shorter, swappedCase } = secretForms
  return [
    secretForms.key,
    basic,
    secretForms.throttleKey,
    secretForms.unknownKey,
    alike,
    shorter,
    swappedCase,
  ]
    .map(({ read, shown }) => ({
      value: read({ apiKey, throttleKey, unknownKey, unknownKeyAlike }),
      placeholder: shown,
    }))
    .filter(({ value }) => value !== '')
}

/** Creates the function that replaces a run's secrets in text. */
export function createRunRedactor({ headers, proxy }: NetworkSettings, secrets: Partial<Secrets>): Redact {
  return createRedactor([...listSecrets(secrets), ...listNetworkSecrets(headers, proxy)])
}

interface NetworkSettings {
  readonly headers: readonly ExtraHeader[]
  readonly proxy?: HttpProxy
}

/** Redacts secrets in the reasons of known failures. */
export function redactReasons<Failure extends { readonly reason: string }>(
  failures: readonly Failure[],
  redact: Redact,
): readonly Failure[] {
  return failures.map((failure) => ({ ...failure, reason: redact(failure.reason) }))
}

/** Lists the secrets that the network needs: values of additional headers, and the proxy's credentials. */
export function listNetworkSecrets(
  headers: readonly ExtraHeader[],
  proxy: HttpProxy | undefined,
): readonly Secret[] {
  const proxySecrets = proxy?.secrets.map((value) => ({ value, placeholder: '[proxy credentials]' })) ?? []
  return headers
    .flatMap(({ value, shown, parts = [] }) => [{ value, placeholder: shown }, ...parts])
    .concat(proxySecrets)
    .filter(({ value }) => isRedactable(value))
}

/** Words that any deployment may return. */
const commonWords = new Set(
  'accept available bearer categoryid code false id json message name null pending sold status true unknown'.split(
    ' ',
  ),
)

/**
 * Checks that a value differs from the words that any deployment may return. Otherwise it is replaced only in requests,
 * as replacing it in responses would falsify the evidence.
 */
function isRedactable(value: string): boolean {
  const lowerCaseValue = value.toLowerCase()
  return (
    !commonWords.has(lowerCaseValue) &&
    !/^\d{0,11}$|^.$/.test(lowerCaseValue) &&
    !lowerCaseValue.includes('application/json')
  )
}
