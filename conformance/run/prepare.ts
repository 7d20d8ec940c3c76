import { Buffer } from 'node:buffer'
import { type Redact, redactBody } from '../redact/evidence.ts'
import type { LearnedFacts, Step } from '../steps/step.ts'
import type { GivenFacts } from '../transcript/known.ts'
import type { HeaderList, SentRequest } from '../transcript/transcript.ts'
import type { ExtraHeader } from './extra-headers.ts'
import type { ResolvedOptions } from './options.ts'
import { type CredentialParts, type Secrets, writeCredential } from './secrets.ts'
import type { OutgoingRequest } from './send.ts'
import { createSimilarKey } from './unknown-key.ts'

/** A step's request: as it is sent, and as the transcript shows it without secrets. */
export interface Prepared {
  readonly step: Step
  readonly shown: SentRequest
  readonly wire: Omit<OutgoingRequest, 'opensConnection' | 'beforeSend'>
}

/** Prepares a step's request from what the run has learned so far. */
export function prepare(
  step: Step,
  known: LearnedFacts,
  extra: readonly ExtraHeader[],
  secrets: Secrets,
  redact: Redact,
): Prepared {
  const { method, idempotencyKey, contentType = 'application/json' } = step
  const [target, body] = [step.target(known), step.body?.(known)]
  const requestHeaders: HeaderList = [
    ...(idempotencyKey === undefined ? [] : [['idempotency-key', idempotencyKey(known)] as const]),
    ...(method !== 'GET' ? [['content-type', contentType] as const] : []),
  ]
  const writeValue = (carried: CredentialParts, textOf: (header: ExtraHeader) => string): SentRequest => {
    const fixedHeaders: HeaderList = [['accept', 'application/json'], ...carried.headers, ...requestHeaders]
    const extraHeaders = extra.filter(({ name }) => !fixedHeaders.some(([other]) => other === name))
    return {
      method,
      target: target + carried.query,
      headers: [...fixedHeaders, ...extraHeaders.map((header) => [header.name, textOf(header)] as const)],
      ...(body !== undefined && { body }),
    }
  }
  const wire = writeValue(writeCredential(step.credential, secrets), ({ value }) => value)
  return {
    step,
    // The body may contain text from a response, and with it a key.
    shown: {
      ...writeValue(writeCredential(step.credential), ({ shown }) => shown),
      ...(body !== undefined && { body: redactBody(body, redact) }),
    },
    wire: { body: undefined, ...wire },
  }
}

/** Draws a run's random values. */
export function drawValues({ apiKey, throttleKey = '', random, categoryId }: ResolvedOptions): {
  secrets: Secrets
  given: GivenFacts
} {
  const hex = (size: number): string => Buffer.from(random(size)).toString('hex')
  const letters = [...random(4)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  const unknownKey = `unknown-${hex(20)}`
  return {
    secrets: {
      apiKey,
      throttleKey,
      unknownKey,
      unknownKeyAlike: createSimilarKey(apiKey, random) ?? unknownKey,
    },
    given: {
      marker: `Test${letters}`,
      unknownId: (2n ** 62n + BigInt(`0x${hex(8)}`) / 4n).toString(),
      idInBody: (2n ** 44n + BigInt(`0x${hex(5)}`)).toString(),
      categoryId: categoryId?.toString(),
      throttleKeyHasLetters: /[a-z]/i.test(throttleKey),
    },
  }
}
