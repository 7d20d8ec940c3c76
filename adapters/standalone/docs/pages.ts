import { type DescribedOptions, openapi } from '../../../core/index.ts'
import type { Pages } from '../pages.ts'
import { docsPage } from './page.ts'

/** `/openapi.json` describes the service of these options to programs, `/docs`, where it is wanted, to people. */
export function descriptionPages(options: DescribedOptions, withDocs: boolean): Pages {
  const document = openapi(options)
  const body = JSON.stringify(withDocs ? { ...document, externalDocs: { url: '/docs' } } : document)
  const description = {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-cache'],
    body,
  }
  const docs = docsPage(document)
  return { '/openapi.json': () => description, ...(withDocs && { '/docs': () => docs }) }
}
