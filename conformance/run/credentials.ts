import type { Credential } from '../steps/step.ts'
import { basicOf, formsOf, placeholders, type Secrets } from './secrets.ts'

/** What a credential adds to a request: the `Authorization` or `X-API-Key` header, or `access_token` in the query. */
export interface Carried {
  readonly authorization?: string
  readonly apiKey?: string
  readonly accessToken?: string
}

/** The secrets of a run or their placeholders, and the forms in which credentials have them. */
interface Material extends Secrets {
  /** The key as the user of RFC 7617. */
  readonly basic: string
  readonly longer: string
  readonly shorter: string
  readonly swappedCase: string
}

/** Each credential on the wire (section 5; RFC 6750, sections 2.1 and 2.3). */
const carriers: Readonly<Record<Credential, (material: Material) => Carried>> = {
  key: ({ key }) => ({ authorization: `Bearer ${key}` }),
  'key-other-case': ({ key }) => ({ authorization: `bEaReR ${key}` }),
  'throttle-key': ({ throttleKey }) => ({ authorization: `Bearer ${throttleKey}` }),
  'throttle-key-in-query': ({ throttleKey = '' }) => ({ accessToken: throttleKey }),
  'throttle-key-in-header': ({ throttleKey = '' }) => ({ apiKey: throttleKey }),
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
  const material: Material =
    secrets === undefined
      ? { ...placeholders, basic: `${placeholders.key}:` }
      : { ...secrets, basic: basicOf(secrets.key), ...formsOf(secrets.throttleKey ?? '') }
  return carriers[credential](material)
}
