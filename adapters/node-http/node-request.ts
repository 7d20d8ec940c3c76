import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyFailure, type MaybePromise, type ServiceRequest } from '../../core/index.ts'
import { Misuse } from '../../core/internal.ts'
import { awaitingContinue, hasBody, incomingBody, prepareBody, type RequestWithBody } from './body.ts'
import { makeFinal } from './connection.ts'

/** Express and Connect cut the prefix of a mount off `url`, and store the whole target in `originalUrl`. */
type MountedRequest = IncomingMessage & { readonly originalUrl?: string }

/** Returns the request target as the client sent it. */
export function readTarget(req: MountedRequest): string {
  return req.originalUrl ?? req.url ?? ''
}

/** Returns a function that reports once if a mount can never match. Call it with requests that do not match. */
export function createMountCheck(basePath: string, report: (cause: Error) => void) {
  let isReported = false
  return ({ url = '', originalUrl = url }: MountedRequest): void => {
    const prefix = originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : ''
    // Frameworks ignore case in a prefix.
    const [mounted = '', base = ''] = [prefix, basePath].map((path) => `${path}/`.toLowerCase())
    if (isReported || mounted.startsWith(base) || base.startsWith(mounted)) return
    isReported = true
    const problem = `The service is mounted under ${prefix}, but its basePath is "${basePath}": no request can match.`
    report(
      new Misuse(`${problem} Set basePath to the path that clients see, such as "${prefix}${basePath}".`),
    )
  }
}

/**
 * A request of Node as core reads it. A class, so that a request costs one object and no closures. Its members are
 * declared, so that nothing initializes them before the constructor does.
 */
export class NodeRequest implements ServiceRequest {
  declare private readonly req: RequestWithBody
  declare private readonly res: ServerResponse
  declare readonly method: string
  declare readonly target: string
  declare readonly httpVersion: string
  declare readonly connection: object
  declare readonly headError: ServiceRequest['headError']
  /** Read immediately: a closed connection has no address. */
  declare readonly client: string | undefined

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req
    this.res = res
    this.method = req.method ?? ''
    this.target = readTarget(req)
    this.httpVersion = req.httpVersion
    this.connection = req.socket
    this.headError = headError(req)
    this.client = req.socket.remoteAddress
  }

  /** Reads the raw headers, because Node drops repeated values of some headers. */
  header(name: string): string | undefined {
    const { rawHeaders } = this.req
    let joined: string | undefined
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const candidate = rawHeaders[i]
      if (candidate?.length !== name.length || candidate.toLowerCase() !== name) continue
      joined = joined === undefined ? rawHeaders[i + 1] : `${joined}, ${rawHeaders[i + 1]}`
    }
    return joined
  }

  /** Reads the body. A client that waits for `100 Continue` receives it only now. */
  body(maxBytes: number): MaybePromise<Uint8Array> {
    const req = this.req
    if (!hasBody(req)) return new Uint8Array()
    if (!req[incomingBody] && !req.readableDidRead) prepareBody(req, maxBytes, false)
    const body = req[incomingBody]
    if (!body) return findParsedBody(req, maxBytes)
    if (awaitingContinue.delete(req)) this.res.writeContinue()
    return body.read()
  }
}

/** A request whose body a framework or a platform has read. */
interface ParsedRequest extends IncomingMessage {
  /** Its bytes: Google Cloud Functions, Firebase, NestJS with `rawBody: true`. */
  readonly rawBody?: unknown
  /** Its bytes or text (`express.raw`, `express.text`), or the parsed value, which has lost int64. */
  readonly body?: unknown
}

/** Returns the bytes of a body that was read in front of the mount. Rejects if they are lost. */
async function findParsedBody(req: ParsedRequest, maxBytes: number): Promise<Uint8Array> {
  const { rawBody, body } = req
  const given = [rawBody, body].find((value) => value instanceof Uint8Array)
  const bytes = given ?? (typeof body === 'string' ? Buffer.from(body) : undefined)
  if (bytes && bytes.length > maxBytes) throw new BodyFailure('body_too_large')
  if (bytes) return bytes
  if (!req.readableEnded) throw new BodyFailure('invalid_request')
  throw new Misuse(
    'The body has been read already, and its bytes are neither in req.rawBody nor in req.body: mount the service in front of body parsers.',
  )
}

/** The maximum size of a request line and its headers, in bytes. */
export const maxHeadBytes = 16_384

/** The maximum number of headers of a request. */
export const maxHeaders = 256

/** Up to this number of headers, the bytes that Node does not count are negligible. */
const fewHeaders = 64

/**
 * Returns whether the connection must close after a request. Node drops bytes after an `Upgrade` in the same read, and
 * parses a later body as a request. Proxies disagree where the body ends if the transfer coding is not `chunked`
 * (RFC 9112, 6.1).
 */
export function endsConnection(req: IncomingMessage): boolean {
  const { upgrade, 'transfer-encoding': coding = 'chunked' } = req.headers
  return upgrade !== undefined || coding.toLowerCase() !== 'chunked' || headError(req) !== undefined
}

/** Returns the error of a head that Node accepts and the service does not. */
function headError(req: IncomingMessage): ServiceRequest['headError'] {
  const entries = req.rawHeaders.length
  if (entries > 2 * maxHeaders || (entries > 2 * fewHeaders && headBytes(req) > maxHeadBytes))
    return 'headers_too_large'
  // Proxies disagree about where the body of such a request ends (RFC 9112, 6.1).
  if (req.httpVersion === '1.0' && req.headers['transfer-encoding'] !== undefined) return 'invalid_request'
  return undefined
}

/** Returns the size of a head. Node's own bound does not count the colons and line ends of the headers. */
function headBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = `${method} ${url} HTTP/1.1\r\n\r\n`.length
  for (const part of rawHeaders) bytes += part.length + 2
  return bytes
}

/**
 * Returns a request of Node in the form that the service reads, for `service.authenticate`. The body stays unread: read
 * it in your route, or leave it to Node, which discards it after the response.
 *
 * On a server of `hardenServer`, a client that sent `Expect: 100-continue` waits until your route calls
 * `res.writeContinue()`.
 *
 * @param req The request, also one from a framework on top of `node:http`.
 * @param res Its response. It closes the connection after a request whose head is invalid.
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
  if (endsConnection(req)) makeFinal(req, res)
  return new NodeRequest(req, res)
}
