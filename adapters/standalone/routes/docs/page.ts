import { createHash } from 'node:crypto'
import type { ServiceResponse } from '../../../../core/index.ts'
import { type DescribedOptions, type OpenApi, openapi } from '../../../../core/openapi.ts'
import type { Pages } from '../extra-routes.ts'
import { placesOf } from './description.ts'
import { Html, html, markdown } from './html.ts'
import { operationSection } from './operation.ts'
import { referenceSections } from './reference.ts'
import { script } from './script.ts'
import { style } from './style.ts'

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

/**
 * Returns a page that shows an OpenAPI description, with a form for each operation that sends a request with the
 * reader's key. It loads nothing from other origins and stores nothing.
 */
export function docsPage(document: OpenApi): ServiceResponse {
  return {
    status: 200,
    headers: [
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Security-Policy',
      policy.join('; '),
      'X-Content-Type-Options',
      'nosniff',
      'Referrer-Policy',
      'no-referrer',
      'Cache-Control',
      'no-cache',
    ],
    body: render(document).text,
  }
}

/** The Content-Security-Policy: the page may do only what it does. */
const policy: readonly string[] = [
  "default-src 'none'",
  `script-src '${hash(script)}'`,
  `style-src '${hash(style)}'`,
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function render(document: OpenApi): Html {
  const { info } = document
  const places = placesOf(document)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<style>${new Html(style)}</style>
</head>
<body id="top">
<a class="skip" href="#main">Skip to the operations</a>
<header class="top">
<h1>${info.title} <span class="tag">${info.version}</span></h1>
${markdown(info.description)}
<nav aria-label="On this page"><ul>
${places.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
<li><a href="#limits">Limits</a></li>
<li><a href="#headers">Headers</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="#schemas">Schemas</a></li>
<li><a href="/openapi.json">OpenAPI</a></li>
</ul></nav>
</header>
<main id="main">
<section class="card" aria-labelledby="key-title">
<h2 id="key-title">Your key</h2>
<p id="key-note">Each try below sends it in the <code>Authorization</code> header. It stays in this page, and is stored nowhere.</p>
<div class="key"><label for="key">API key</label>
<input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="key-note">
<button type="button" id="show" aria-pressed="false">Show</button></div>
<noscript><p class="notice">To try requests, let this page run its script.</p></noscript>
</section>
${places.map((place) => operationSection(place, document))}
${referenceSections(document)}
<a class="up" href="#top">↑ Top</a>
</main>
<script>${new Html(script)}</script>
</body>
</html>
`
}
