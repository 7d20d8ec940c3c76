/** What the handler reads of an event of a function URL or an HTTP API (payload 2.0): `@types/aws-lambda` has all. */
export interface HttpEvent {
  readonly rawPath: string
  readonly rawQueryString: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly isBase64Encoded: boolean
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } }
}

/** What the handler returns. */
export interface HttpResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
