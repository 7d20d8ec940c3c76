export const sideIds = ['ours', 'bare', 'fastify', 'hono', 'express'] as const

export type SideId = (typeof sideIds)[number]

/** The titles of the measured servers. Each is a program in `sides/` that serves the same animals and accepts the same key. */
export const sides: Readonly<Record<SideId, string>> = {
  ours: 'ours',
  bare: 'bare node:http',
  fastify: 'Fastify',
  hono: 'Hono',
  express: 'Express',
}
