import { placeholders, type Secrets } from './secrets.ts'
import type { Credential } from './transcript/transcript.ts'

/** What a credential adds to a request: the `Authorization` header, or `access_token` in the query. */
export interface Carried {
  readonly authorization?: string
  readonly accessToken?: string
}

/** Each credential on the wire (section 5; RFC 6750, sections 2.1 and 2.3). */
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

/** Returns what a credential adds to a request. By default placeholders replace the secrets, as in a transcript. */
export function carry(credential: Credential, secrets: Secrets = placeholders): Carried {
  return carriers[credential](secrets)
}
