import type { IncomingMessage } from 'node:http'

/** Where frameworks and platforms leave the body of a request that they have read. */
interface ReadBefore {
  /** Its bytes: Google Cloud Functions, Firebase, NestJS with `rawBody: true`. */
  readonly rawBody?: unknown
  /** Its bytes or text (`express.raw`, `express.text`), or what a parser has made of it. */
  readonly body?: unknown
}

/** Returns the bytes of a body that something in front of the mount has read; undefined where only a parsed value is left. */
export function bytesReadBefore(req: IncomingMessage & ReadBefore): Uint8Array | undefined {
  const { rawBody, body } = req
  const bytes = [rawBody, body].find((value) => value instanceof Uint8Array)
  return bytes ?? (typeof body === 'string' ? Buffer.from(body) : undefined)
}
