import type { Notice } from '../log/log-format.ts'

/** Announces the base address, and ahead of it the documentation page where there is one. */
export function listeningNotice(url: string, docs: string | false): Notice {
  return {
    level: 'info',
    event: 'listening',
    text: `${docs ? `documentation at ${docs}\n` : ''}listening on ${url}`,
    fields: { url, ...(docs && { docs }) },
  }
}
