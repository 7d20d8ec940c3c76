import { createHash } from 'node:crypto'
import { operations, type ServiceResponse } from '../../../../core/index.ts'
import { Html, html } from './html.ts'
import { operationSection } from './operation.ts'
import { errorsSection, limitsSection } from './reference.ts'
import { script } from './script.ts'
import { style } from './style.ts'

/**
 * Returns a page that shows the operations, with a form for each that sends a request with the reader's key. It loads nothing
 * from other origins and stores nothing.
 */
export function docsPage(basePath: string): ServiceResponse {
  return {
    status: 200,
    headers: [
      ...['Content-Type', 'text/html; charset=utf-8'],
      ...['Content-Security-Policy', policy.join('; ')],
      ...['X-Content-Type-Options', 'nosniff'],
      ...['Referrer-Policy', 'no-referrer'],
      ...['Cache-Control', 'no-cache'],
    ],
    body: render(basePath).text,
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

function render(basePath: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Pet adoption service</title>
<style>${new Html(style)}</style>
</head>
<body id="top">
<a class="skip" href="#main">Skip to the operations</a>
<header class="top">
<h1>Pet adoption service <span class="tag">1.0.0</span></h1>
<p>Lists animals for adoption, and adds them. Ids are int64: read them exactly. The schemas of all bodies, and the headers of each response, are in the <a href="/openapi.json">OpenAPI description</a>.</p>
<nav aria-label="On this page"><ul>
${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
<li><a href="#limits">Limits</a></li>
<li><a href="#errors">Errors</a></li>
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
${operations.map((operation) => operationSection(operation, basePath))}
${limitsSection()}
${errorsSection()}
<a class="up" href="#top">↑ Top</a>
</main>
<script>${new Html(script)}</script>
</body>
</html>
`
}
