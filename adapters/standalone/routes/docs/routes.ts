import type { DescribedOptions } from '../../../../core/openapi.ts'
import { openapi } from '../../../../core/openapi.ts'
import type { Pages } from '../extra-routes.ts'
import { docsPage } from './page.ts'

/** Creates the pages that describe a service of these options: `/openapi.json` for programs, and `/docs` for people, to which `/` leads. */
export function descriptionPages(options: DescribedOptions, withDocs: boolean): Pages {
  const document = openapi(options)
  const link = withDocs ? ['Link', '</docs>; rel="service-doc"'] : [] // RFC 8631
  const description = {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-cache', ...link],
    body: JSON.stringify(document),
  }
  const docs = docsPage(document)
  const toDocs = { status: 302, headers: ['Location', '/docs', 'Content-Type', 'text/plain'], body: '' }
  return { '/openapi.json': () => description, ...(withDocs && { '/docs': () => docs, '/': () => toDocs }) }
}
