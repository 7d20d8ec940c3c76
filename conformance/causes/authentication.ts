import type { Credential } from '../steps/step.ts'
import { isSuccess, type RecordedResponse, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { brokenIn, type Fault, type FaultKind, shownBy, type Words } from './cause.ts'

const withoutKey: readonly Credential[] = ['none', 'unknown-key', 'empty-token']
const rules = brokenIn(
  ...['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6', 'AUTH-8', 'AUTH-13', 'AUTH-14'],
)

/** What requests without a valid key return instead of a 401 (section 5). */
export const authenticationFaults: readonly FaultKind[] = [
  {
    id: 'no-authentication',
    least: 2,
    find: (transcript) =>
      among(
        transcript,
        ({ response }) => isSuccess(response.status),
        (count) => ({
          title: `Requests without a valid key are served: ${count}`,
          advice: 'check the key before the rest of every request, on every route',
        }),
      ),
  },
  {
    id: 'unauthorized-status',
    least: 2,
    find(transcript) {
      const [first] = anonymous(transcript).filter(
        ({ response: { status } }) => status >= 300 && status !== 401,
      )
      const status = first?.response.status
      return among(
        transcript,
        ({ response }) => response.status === status,
        (count) => ({
          title: `Requests without a valid key return ${status} in place of 401: ${count}`,
          advice:
            status === 403
              ? 'return 401 for a missing or unknown key; 403 means that the caller is known'
              : 'check the key first: before the route, the query and the body',
        }),
      )
    },
  },
]

function anonymous(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(({ exchange: { credential } }) => withoutKey.includes(credential))
}

function among(
  transcript: Transcript,
  has: (recorded: RecordedResponse) => boolean,
  words: (count: string) => Words,
): Fault | undefined {
  const all = anonymous(transcript)
  const faulty = all.filter(has)
  return shownBy(faulty, () => ({ ...words(`${faulty.length} of ${all.length}`), explains: rules }))
}
