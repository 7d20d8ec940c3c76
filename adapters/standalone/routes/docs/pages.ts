import type { PetStore, ServiceOptions, ServiceRequest, ServiceResponse } from '../../../../core/index.ts'
import { listSupportedOperations } from '../../../../core/internal.ts'
import { openapi } from '../../../../core/openapi.ts'
import type { Pages } from '../extra-routes.ts'
import { createDocsPage } from './page.ts'

/**
 * Creates the pages that describe a service: `/openapi.json` for programs, `/docs` for people, and an icon. `/`
 * redirects to `/docs`. Everything is rendered at startup, so no request reads a file.
 *
 * @param options - Service options. With `trustProxy`, the server's URL in the document is relative.
 * @param withDocs - Whether to serve `/docs`.
 */
export function createDescriptionPages(
  options: Omit<ServiceOptions, 'keys' | 'store'> & { readonly store: Required<PetStore> },
  withDocs: boolean,
): Pages {
  const { basePath = '/v1', store, trustProxy } = options
  const link = withDocs ? ['Link', '</docs>; rel="service-doc"'] : [] // RFC 8631
  const document = openapi(options)

  function description(request: ServiceRequest): ServiceResponse {
    const host = request.header('host')
    // Tools that open the document as a file need an absolute URL. Behind a proxy, `Host` may not be the public name.
    const url = host && trustProxy === undefined ? `http://${host}${basePath}` : basePath || '/'
    return {
      status: 200,
      rawHeaders: ['Content-Type', 'application/json', 'Cache-Control', 'no-cache', ...link],
      body: JSON.stringify({ ...document, servers: [{ url }] }),
    }
  }

  const toDocs = { status: 302, rawHeaders: ['Location', '/docs', 'Content-Type', 'text/plain'], body: '' }
  const docs = withDocs ? createDocsPage(listSupportedOperations(store), document, basePath) : undefined
  return {
    '/openapi.json': description,
    '/favicon.ico': () => icon,
    ...(docs && { '/docs': () => docs, '/': () => toDocs }),
  }
}

/** A paw icon. Browsers use the content type, not the path's `.ico`. */
const icon: ServiceResponse = {
  status: 200,
  rawHeaders: ['Content-Type', 'image/svg+xml', 'Cache-Control', 'max-age=86400'],
  body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a6354"/><g fill="#fff"><ellipse cx="16" cy="21" rx="6.5" ry="5.5"/><circle cx="7.5" cy="14.5" r="2.7"/><circle cx="13" cy="9.5" r="2.9"/><circle cx="19" cy="9.5" r="2.9"/><circle cx="24.5" cy="14.5" r="2.7"/></g></svg>`,
}
