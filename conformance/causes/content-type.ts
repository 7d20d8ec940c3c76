import { header, jsonOf, type RecordedResponse, responses, typeProblem } from '../transcript/responses.ts'
import type { FaultKind } from './cause.ts'
import { repairable, withHeader } from './repair.ts'
import { scopeOf } from './scope.ts'

/** JSON with another content type. One rule alone states it as well. */
export const contentTypeFault: FaultKind = {
  id: 'content-type',
  least: 2,
  find(transcript) {
    const json = responses(transcript).filter(({ response }) => jsonOf(response) !== undefined)
    return repairable(
      transcript,
      (recorded) =>
        jsonOf(recorded.response) !== undefined && typeProblem(recorded) !== undefined
          ? { headers: withHeader(recorded.response, 'content-type', 'application/json') }
          : undefined,
      (faulty) => ({
        title: `The JSON of ${scopeOf(faulty, json).text} has ${typesOf(faulty)}`,
        advice: 'send Content-Type: application/json with every JSON body',
      }),
    )
  },
}

function typesOf(faulty: readonly RecordedResponse[]): string {
  const types = new Set(faulty.map(({ response }) => header(response, 'content-type')))
  const [type] = types
  if (types.size > 1) return `one of ${types.size} other content types, such as ${type ?? 'none'}`
  return type === undefined ? 'no content type' : `the content type ${type}`
}
