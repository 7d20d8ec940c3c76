import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyError, type ServiceRequest } from '../../core/index.ts'
import { MisuseError } from '../../core/internal.ts'
import { incomingBody, prepareBody, type RequestWithBody, requestsAwaitingContinue } from './body.ts'
import { markFinalResponse } from './connection.ts'
import { endsConnection, findHeadError, hasBody } from './head.ts'

/** A request in Express or Connect. Both cut the mount path off `url`, and store the whole target in `originalUrl`. */
type MountedRequest = IncomingMessage & { readonly originalUrl?: string }

/**
 * Returns a function that reports once if no path below the mount path can match `basePath`. Call it for each request
 * that does not match.
 */
export function createMountCheck(basePath: string, report: (cause: Error) => void) {
  let isReported = false
  return ({ url = '', originalUrl = url }: MountedRequest): void => {
    const prefix = originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : ''
    // Express ignores case in mount paths.
    const [mounted = '', base = ''] = [prefix, basePath].map((path) => `${path}/`.toLowerCase())
    if (isReported || mounted.startsWith(base) || base.startsWith(mounted)) return
    isReported = true
    const problem = `The service is mounted under ${prefix}, but its basePath is "${basePath}", so no request can match.`
    report(
      new MisuseError(
        `${problem} Set basePath to the path that clients see, such as "${prefix}${basePath}".`,
      ),
    )
  }
}

/**
 * A `node:http` request, as the service reads it. A class costs one object per request and no closures. The members are
 * declared so that only the constructor initializes them.
 */
export class NodeRequest implements ServiceRequest {
  declare private readonly req: RequestWithBody
  declare private readonly res: ServerResponse
  /** Whether a header occurs more than once. Node may have dropped other values. */
  declare private readonly hasRepeatedHeaders: boolean
  declare readonly method: string
  declare readonly target: string
  declare readonly httpVersion: string
  declare readonly connection: object
  declare readonly headError: ServiceRequest['headError']
  /** The client's address, which a destroyed socket no longer has. */
  declare readonly clientAddress: string | undefined

  constructor(req: MountedRequest, res: ServerResponse) {
    this.req = req
    this.res = res
    this.hasRepeatedHeaders = checkRepeatedHeaders(req)
    this.method = req.method ?? ''
    this.target = req.originalUrl ?? req.url ?? ''
    this.httpVersion = req.httpVersion
    this.connection = req.socket
    this.headError = findHeadError(req)
    this.clientAddress = req.socket?.remoteAddress
  }

  header(name: string): string | undefined {
    const { headers, rawHeaders } = this.req
    const value: unknown = headers[name]
    if (!this.hasRepeatedHeaders)
      return value === undefined || typeof value === 'string' ? value : String(value)
    let joined: string | undefined
    for (let i = 0; i + 1 < rawHeaders.length; i += 2)
      if (rawHeaders[i]?.toLowerCase() === name)
        joined = joined === undefined ? rawHeaders[i + 1] : `${joined}, ${rawHeaders[i + 1]}`
    return joined
  }

  /**
   * Resolves with the request body, also if earlier middleware has read it and stored the bytes. A client that waits
   * for `100 Continue` receives it now.
   * @throws {BodyError} If the body is too large or incomplete.
   * @throws {MisuseError} If the bytes are lost.
   */
  async body(maxBytes: number): Promise<Uint8Array> {
    const req = this.req
    const parsed = findParsedBody(req)
    if (parsed && parsed.length > maxBytes) throw new BodyError('body_too_large')
    if (parsed || !hasBody(req)) return parsed ?? new Uint8Array()
    const body = req[incomingBody] ?? prepareBody(req, maxBytes)
    if (!body) throw req.readableEnded ? new MisuseError(bodyLostMessage) : new BodyError('invalid_request')
    if (requestsAwaitingContinue.delete(req)) this.res.writeContinue()
    return body.read()
  }
}

/** Returns whether a header occurs more than once. Test doubles and serverless bridges have no raw headers. */
function checkRepeatedHeaders({ headers, rawHeaders = [] }: IncomingMessage): boolean {
  let names = 0
  for (const _ in headers) names++
  return rawHeaders.length > 2 * names
}

/** A request whose body may have been read by earlier middleware. */
interface ParsedRequest extends IncomingMessage {
  /** The body's bytes, as stored by Google Cloud Functions, Firebase, and NestJS with `rawBody: true`. */
  readonly rawBody?: unknown
  /** The body's bytes or text, or its parsed value, in which large integers are no longer exact. */
  readonly body?: unknown
}

const bodyLostMessage =
  'The request body has already been read, and its bytes are neither in req.rawBody nor in req.body. Mount the service in front of body parsers.'

/**
 * Returns a body that earlier middleware has read, or `undefined` if the body is unread.
 * @throws {MisuseError} If only the parsed value is left.
 */
function findParsedBody({ rawBody, body }: ParsedRequest): Uint8Array | undefined {
  if (rawBody instanceof Uint8Array) return rawBody
  if (body === undefined || body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  // Express 4 sets an empty object for a request without a body.
  if (Object.keys(Object(body)).length > 0) throw new MisuseError(bodyLostMessage)
  return undefined
}

/**
 * Converts a `node:http` request for `service.authenticate` or `service.handle`. The body stays unread. Your route can
 * read it, or Node discards it after the response.
 *
 * On a server hardened by {@link hardenServer}, a client that sent `Expect: 100-continue` waits until your route calls
 * `res.writeContinue()`.
 *
 * @param req The request, also from a framework based on `node:http`.
 * @param res The response to it. If the request head is invalid, this is the last response on the connection.
 *
 * @example
 * import { createServer } from 'node:http'
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { toServiceRequest, writeResponse } from 'pet-adoption-service/node'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const service = createPetService({ keys })
 * const server = createServer(async (req, res) => {
 *   const access = await service.authenticate(toServiceRequest(req, res))
 *   if (!access.authenticated) return writeResponse(req, res, access.response)
 *   writeResponse(req, res, { status: 200, rawHeaders: access.rawHeaders, body: 'The shelter is open.' })
 * })
 */
export function toServiceRequest(req: IncomingMessage, res: ServerResponse): ServiceRequest {
  const request = new NodeRequest(req, res)
  if (request.headError || endsConnection(req)) markFinalResponse(req, res)
  return request
}
