/** Returns the client's address, which the one proxy in front appends. */
export function client(request: Request): string | undefined {
  return request.headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim()
}
