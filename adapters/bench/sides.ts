export const sideIds = ['ours', 'bare', 'fastify', 'hono', 'express'] as const

export type SideId = (typeof sideIds)[number]

/** What is measured: each a program in `sides/` that serves the same animals to the same key. */
export const sides: Readonly<Record<SideId, string>> = {
  ours: 'ours',
  bare: 'bare node:http',
  fastify: 'Fastify',
  hono: 'Hono',
  express: 'Express',
}
