import { mostOfAllHeaders, mostOfBody, mostOfRun } from '../transcript/bounds.ts'
import type { Exchange, HeaderList, Outcome, Transcript } from '../transcript/transcript.ts'
import { schemaProblem } from './problem.ts'
import { transcriptSchema } from './transcript.ts'

/**
 * Returns a transcript as JSON text for a file. The text contains no key.
 *
 * @param transcript A transcript that `record` or `readTranscript` returned.
 *
 * @example
 * import { writeFileSync } from 'node:fs'
 * import { record, writeTranscript } from 'pet-adoption-service/conformance'
 *
 * const transcript = await record({ baseUrl: 'https://api.example.com/v1', key: 'key-of-a-test-account' })
 * writeFileSync('transcript.json', writeTranscript(transcript))
 */
export function writeTranscript(transcript: Transcript): string {
  return `${JSON.stringify(transcript, undefined, 2)}\n`
}

/**
 * Reads the text of a saved transcript. A body beyond the bounds of a run counts as truncated, and names of headers are
 * read in any case.
 *
 * @param text Text that `writeTranscript` returned.
 * @throws {TypeError} The text is not JSON, or not a transcript of version 1 or 2; the message names the place.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { readTranscript } from 'pet-adoption-service/conformance'
 *
 * const transcript = readTranscript(readFileSync('transcript.json', 'utf8'))
 * console.log(transcript.baseUrl, transcript.startedAt)
 */
export function readTranscript(text: string): Transcript {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError('the transcript is not JSON: save one with --save-transcript')
  }
  const invalid = (problem: string): TypeError => new TypeError(`the transcript cannot be read: ${problem}`)
  const misfit = schemaProblem(value, transcriptSchema)
  if (misfit !== undefined) throw invalid(misfit)
  // the schema has every member of the type
  const transcript = value as Transcript
  const problem = otherProblem(transcript)
  if (problem !== undefined) throw invalid(problem)
  let left = mostOfRun
  const bounded = (outcome: Outcome): Outcome => {
    if (outcome.kind === 'error') return outcome
    const response = { ...outcome.response, headers: lowerCase(outcome.response.headers) }
    if (response.body.length <= Math.min(mostOfBody, left)) {
      left -= response.body.length
      return { ...outcome, response }
    }
    return { ...outcome, response: { ...response, body: '', truncated: true } }
  }
  const exchanges = transcript.exchanges.map(({ attempts, outcome, ...rest }): Exchange => {
    const request = { ...rest.request, headers: lowerCase(rest.request.headers) }
    const exchange = { ...rest, request }
    const earlier = attempts?.map((attempt) => ({ ...attempt, outcome: bounded(attempt.outcome) }))
    return { ...exchange, ...(earlier && { attempts: earlier }), outcome: bounded(outcome) }
  })
  return { ...transcript, exchanges }
}

/** Header names in lower case, as rules look for them. */
function lowerCase(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name.toLowerCase(), value])
}

/** What a schema cannot say: each time is real, the base address is one, no id occurs twice, and headers have a bound. */
function otherProblem({ baseUrl, startedAt, now, exchanges }: Transcript): string | undefined {
  if (!URL.canParse(baseUrl)) return '$.baseUrl must be an http or https address'
  if (Number.isNaN(Date.parse(startedAt))) return '$.startedAt must be a time that exists'
  if (Number.isNaN(Date.parse(now))) return '$.now must be a time that exists'
  if (sizeOfHeaders(exchanges) > mostOfAllHeaders)
    return `$.exchanges must have headers of at most ${mostOfAllHeaders} characters together, with 32 more for each header`
  const places = new Map<string, number>()
  for (const [index, { id }] of exchanges.entries()) {
    const first = places.get(id)
    if (first !== undefined) return `$.exchanges[${index}].id repeats that of $.exchanges[${first}]`
    places.set(id, index)
  }
  return undefined
}

function sizeOfHeaders(exchanges: readonly Exchange[]): number {
  let size = 0
  for (const { request, outcome, attempts = [] } of exchanges) {
    const outcomes = [outcome, ...attempts.map((attempt) => attempt.outcome)]
    const lists = outcomes.map((one) => (one.kind === 'response' ? one.response.headers : []))
    for (const list of [request.headers, ...lists])
      for (const [name, value] of list) size += name.length + value.length + 32
  }
  return size
}
