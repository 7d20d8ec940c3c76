import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Members that the plugin reads from a Fastify request. */
export interface FastifyRequestLike {
  /** The request from `node:http`. */
  readonly raw: IncomingMessage
  /** The route that matches the request. */
  readonly routeOptions: { readonly url?: string | undefined }
}

/** Members that the plugin calls on a Fastify reply. */
export interface FastifyReplyLike {
  /** The response from `node:http`. */
  readonly raw: ServerResponse
  /** Leaves the response to the plugin. */
  hijack(): unknown
  /** Sets a header. */
  header(name: string, value: number | string | string[] | undefined): unknown
  /** Returns the headers that were set, by their lower-case names. */
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>
}

/** Members that the plugin calls on a Fastify app. */
export interface FastifyLike {
  /** The app's server. */
  readonly server: Server
  /** The app's logger. */
  readonly log: { warn(message: string): void }
  /** Adds a hook that runs when a request arrives. */
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequestLike, reply: FastifyReplyLike, done: () => void) => void,
  ): unknown
  /** Adds a hook that runs before a response is sent. */
  addHook(
    name: 'onSend',
    hook: (request: FastifyRequestLike, reply: FastifyReplyLike, payload: unknown, done: () => void) => void,
  ): unknown
  /** Adds a hook that runs before the server closes. */
  addHook(name: 'preClose', hook: (done: () => void) => void): unknown
}
