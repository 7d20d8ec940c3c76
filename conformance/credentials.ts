import { placeholders, type Secrets } from './secrets.ts'
import type { Credential } from './transcript/transcript.ts'

/** Where a credential goes: the `Authorization` header, or the query's `access_token`. */
export interface Carried {
  readonly authorization?: string
  readonly accessToken?: string
}

/** What each credential is on the wire (section 5; RFC 6750, sections 2.1 and 2.3). */
const carriers: Readonly<Record<Credential, (secrets: Secrets) => Carried>> = {
  key: ({ key }) => ({ authorization: `Bearer ${key}` }),
  'key-other-case': ({ key }) => ({ authorization: `bEaReR ${key}` }),
  'throttle-key': ({ throttleKey }) => ({ authorization: `Bearer ${throttleKey}` }),
  'throttle-key-in-query': ({ throttleKey = '' }) => ({ accessToken: throttleKey }),
  'unknown-key': ({ unknownKey }) => ({ authorization: `Bearer ${unknownKey}` }),
  'other-scheme': ({ key }) => ({ authorization: `Token ${key}` }),
  'empty-token': () => ({ authorization: 'Bearer ' }),
  none: () => ({}),
}

/** What a credential adds to a request; with the placeholders for secrets, as a transcript shows it. */
export function carry(credential: Credential, secrets: Secrets = placeholders): Carried {
  return carriers[credential](secrets)
}
