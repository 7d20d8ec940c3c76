import { mostOfBody, mostOfRun } from '../bounds.ts'
import { ratePlanNames } from './rate-plans.ts'
import { type Exchange, profiles, type Transcript } from './transcript.ts'

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
 * Reads the text of a saved transcript. A body beyond the bounds of a run counts as truncated.
 *
 * @param text Text that `writeTranscript` returned.
 * @throws {TypeError} The text is not JSON, or not a transcript of version 1; the message names the place.
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
  const problem = transcriptProblem(value)
  if (problem !== undefined) throw new TypeError(`the transcript cannot be read: ${problem}`)
  // the check above covers every member that rules read
  const transcript = value as Transcript
  let left = mostOfRun
  const bounded = (exchange: Exchange): Exchange => {
    const { outcome } = exchange
    if (outcome.kind === 'error') return exchange
    const { body } = outcome.response
    if (body.length <= Math.min(mostOfBody, left)) {
      left -= body.length
      return exchange
    }
    return {
      ...exchange,
      outcome: { ...outcome, response: { ...outcome.response, body: '', truncated: true } },
    }
  }
  return { ...transcript, exchanges: transcript.exchanges.map(bounded) }
}

type Shape = Readonly<Record<string, (value: unknown) => boolean>>

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(String(value)))
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value)
const isHeaders = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((line) => Array.isArray(line) && line.length === 2 && line.every(isText))

const transcriptShape: Shape = {
  version: oneOf(1),
  baseUrl: (value) => isText(value) && /^https?:\/\//i.test(String(value)) && URL.canParse(String(value)),
  profile: oneOf(...profiles),
  plan: oneOf(undefined, ...ratePlanNames),
  startedAt: isTime,
  now: isTime,
  durationMs: isNumber,
  marker: isText,
  categoryId: (value) => value === undefined || /^-?\d+$/.test(String(value)),
  endedEarly: (value) => value === undefined || isText(value),
  exchanges: Array.isArray,
}
const requestShape: Shape = {
  method: isText,
  target: isText,
  headers: isHeaders,
  body: (value) => value === undefined || isText(value),
}
const responseShape: Shape = {
  status: isNumber,
  headers: isHeaders,
  body: isText,
  utf8: isBoolean,
  truncated: isBoolean,
  withheld: oneOf(undefined, true),
  ms: isNumber,
}
const exchangeShape: Shape = {
  id: isText,
  credential: isText,
  at: isNumber,
  request: fits(requestShape),
  outcome: (value) =>
    fits({ kind: oneOf('response'), response: fits(responseShape) })(value) ||
    fits({ kind: oneOf('error'), error: isText })(value),
}

function transcriptProblem(value: unknown): string | undefined {
  const wrong = invalidMember(value, transcriptShape)
  if (wrong !== undefined) return `its ${wrong} is missing or invalid`
  // the shape has checked that it is an array
  const place = (value as { exchanges: unknown[] }).exchanges.findIndex((one) => !fits(exchangeShape)(one))
  return place < 0 ? undefined : `exchange ${place + 1} is invalid`
}

function fits(shape: Shape): (value: unknown) => boolean {
  return (value) => invalidMember(value, shape) === undefined
}

function invalidMember(value: unknown, shape: Shape): string | undefined {
  const members: Readonly<Record<string, unknown>> = { ...(typeof value === 'object' ? value : undefined) }
  return Object.keys(shape).find((name) => shape[name]?.(members[name]) === false)
}
