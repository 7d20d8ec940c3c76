import { isObject, type Json, readJson } from './json.ts'
import { once } from './once.ts'
import type { Credential, Exchange, ReceivedResponse, Transcript } from './transcript.ts'

/** An exchange that was answered. */
export interface RecordedResponse {
  /** The exchange's id. */
  readonly id: string
  readonly exchange: Exchange
  readonly response: ReceivedResponse
}

/** Every response of the run, in the order sent. */
export const responses: (transcript: Transcript) => readonly RecordedResponse[] = once(({ exchanges }) =>
  exchanges.flatMap((exchange) => answerOf(exchange) ?? []),
)

const answerOf: (exchange: Exchange) => RecordedResponse | undefined = once((exchange) =>
  exchange.outcome.kind === 'response'
    ? { id: exchange.id, exchange, response: exchange.outcome.response }
    : undefined,
)

/** The responses to one credential. */
export function responsesTo(transcript: Transcript, credential: Credential): readonly RecordedResponse[] {
  return responses(transcript).filter(({ exchange }) => exchange.credential === credential)
}

/** Whether a status may come from something in front of the deployment. */
export function isGateway(status: number): boolean {
  return status >= 502 && status <= 504
}

/** Whether a status says that what was asked for was done. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** A header's value; lines of one name are joined, as HTTP has it. */
export function header(response: ReceivedResponse, name: string): string | undefined {
  const values = response.headers.filter(([other]) => other === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The JSON of a response; `undefined` where there is none, or where its bytes are no UTF-8. */
export const jsonOf: (response: ReceivedResponse) => Json | undefined = once(({ utf8, body }) =>
  utf8 ? readJson(body) : undefined,
)

/** Why the body of a response cannot be judged, as a phrase; `undefined` where it can. */
export function unreadProblem({ truncated, withheld }: ReceivedResponse): string | undefined {
  if (truncated) return 'is larger than the suite reads: 1 MiB, and 16 MiB in a run'
  return withheld ? 'holds a key that cannot be taken out' : undefined
}

/** Whether the body of a response is there to be judged. */
export function isRead({ response }: RecordedResponse): boolean {
  return unreadProblem(response) === undefined
}

/** A member of the JSON object that a response holds; `undefined` where there is none. */
export function memberOf({ response }: Pick<RecordedResponse, 'response'>, name: string): Json | undefined {
  const body = jsonOf(response)
  return isObject(body) ? body.get(name) : undefined
}

/** What is wrong with a response's content type (section 4), as a phrase; parameters are allowed. */
export function typeProblem({ response }: Pick<RecordedResponse, 'response'>): string | undefined {
  const type = header(response, 'content-type')
  if (/^application\/json[ \t]*(;|$)/i.test(type ?? '')) return undefined
  return type === undefined ? 'has no content type' : `has the content type ${type}`
}

/** The status that rejected the key: the first response to it is a 401 or a 403. */
export function keyRejection(exchanges: readonly Exchange[]): number | undefined {
  const first = exchanges.find(
    ({ credential, outcome }) =>
      credential === 'key' && outcome.kind === 'response' && !isGateway(outcome.response.status),
  )
  const status = first?.outcome.kind === 'response' ? first.outcome.response.status : undefined
  return status === 401 || status === 403 ? status : undefined
}
