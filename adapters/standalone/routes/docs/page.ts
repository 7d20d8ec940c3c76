import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { plans, type ServiceResponse } from '../../../../core/index.ts'
import type { JsonObject } from '../../../../core/openapi.ts'
import { describedOperations, readCodes, typedDescription } from './description.ts'
import { type Html, html } from './html.ts'
import { formatErrorRows, formatOperation } from './operation.ts'
import { formatSchemas } from './schemas.ts'

/**
 * The page without the contents of core's tables, by its path from the root of the package: a build moves this module.
 */
const template = 'adapters/standalone/routes/docs/page.html'

/**
 * Returns a page that shows the operations, with a form for each that sends a request with the reader's key. It loads
 * nothing from other origins and stores nothing.
 */
export function createDocsPage(document: JsonObject, basePath: string): ServiceResponse {
  const manifest = createRequire(import.meta.url).resolve('pet-adoption-service/package.json')
  const page = readFileSync(join(dirname(manifest), template), 'utf8')
  const description = typedDescription(document)
  const described = describedOperations(description)
  const parts: Readonly<Record<string, Html>> = {
    links: html`${described.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}`,
    operations: html`${described.map((operation) => formatOperation(operation, basePath, description))}`,
    schemas: formatSchemas(description),
    plans: html`${Object.entries(plans).map(
      ([plan, { minute, day }]) =>
        html`<tr><th scope="row">${plan}</th><td>${withCommas(minute)}</td><td>${withCommas(day)}</td></tr>`,
    )}`,
    errors: html`<dl>${formatErrorRows(readCodes(description))}</dl>`,
  }
  const body = page.replaceAll(/<!-- (\w+) -->/g, (_, name: string) => parts[name]?.markup ?? '')
  return {
    status: 200,
    rawHeaders: Object.entries({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': createPolicy(page),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    }).flat(),
    body,
  }
}

/** Returns a number with commas between thousands. `toLocaleString` takes 12 ms of the start to load its locales. */
function withCommas(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Returns the Content-Security-Policy. It allows only the actions of the page. */
function createPolicy(page: string): string {
  const sources = ['script', 'style'].map((tag) => {
    const [, text = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page) ?? []
    return `${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`
  })
  const others = [
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return ["default-src 'none'", ...sources, ...others].join('; ')
}
