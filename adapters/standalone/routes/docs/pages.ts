import type { ServiceRequest, ServiceResponse } from '../../../../core/index.ts'
import type { Pages } from '../extra-routes.ts'

/**
 * Creates the pages that describe a service: `/openapi.json` for programs, and `/docs` for people, to which `/` leads.
 * They are loaded and rendered when they are first requested: a server starts in a third less time.
 *
 * @param isBehindProxy - Whether a proxy is trusted, so that the address of a request is not that of the service.
 */
export function descriptionPages(basePath: string, isBehindProxy: boolean, withDocs: boolean): Pages {
  const link = withDocs ? ['Link', '</docs>; rel="service-doc"'] : [] // RFC 8631
  let document: Promise<object> | undefined
  let page: Promise<ServiceResponse> | undefined

  async function description(request: ServiceRequest): Promise<ServiceResponse> {
    document ??= import('../../../../core/openapi.ts').then(({ openapi }) => openapi({ basePath }))
    const host = request.header('host')
    // Absolute where the client has reached the server itself, since a file of the description has no address.
    const url = host && !isBehindProxy ? `http://${host}${basePath}` : basePath || '/'
    return {
      status: 200,
      rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-cache', ...link],
      body: JSON.stringify({ ...(await document), servers: [{ url }] }),
    }
  }

  function docs(): Promise<ServiceResponse> {
    page ??= import('./page.ts').then(({ docsPage }) => docsPage(basePath))
    return page
  }

  const toDocs = { status: 302, rawHeaders: ['Location', '/docs', 'Content-Type', 'text/plain'], body: '' }
  return { '/openapi.json': description, ...(withDocs && { '/docs': docs, '/': () => toDocs }) }
}
