import { createHash } from 'node:crypto'
import { type Operation, plans, type ServiceResponse } from '../../../../core/index.ts'
import type { JsonObject } from '../../../../core/openapi.ts'
import { readPackageFile } from '../../package-file.ts'
import { type Html, html } from './html.ts'
import { formatErrorRows, formatOperation } from './operation.ts'
import { formatSchemas, readSchemas } from './schemas.ts'

/** Path of the page's template, relative to the package folder. */
const templatePath = 'adapters/standalone/routes/docs/page.html'

/**
 * Creates the page that documents the operations and sends requests with the reader's key. The page loads nothing from
 * other origins and stores nothing.
 */
export function createDocsPage(
  operations: readonly Operation[],
  document: JsonObject,
  basePath: string,
): ServiceResponse {
  const page = readPackageFile(templatePath)
  const schemas = readSchemas(document)
  const parts: Readonly<Record<string, Html>> = {
    links: html`${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}`,
    operations: html`${operations.map((operation) => formatOperation(operation, basePath, schemas))}`,
    schemas: formatSchemas(schemas),
    plans: html`${Object.entries(plans).map(
      ([plan, { minute, day }]) =>
        html`<tr><th scope="row">${plan}</th><td>${formatWithCommas(minute)}</td><td>${formatWithCommas(day)}</td></tr>`,
    )}`,
    errors: html`<dl>${formatErrorRows()}</dl>`,
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

/** Inserts thousands separators. `toLocaleString` would load locales, which takes 12 ms at startup. */
function formatWithCommas(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Creates the Content-Security-Policy, which allows only what the page itself does. */
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
