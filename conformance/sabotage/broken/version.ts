import type { Broken } from '../variant.ts'

/** Variants that break sections 1 and 9. */
export const brokenVersions: readonly Broken[] = ['/v2', '/api', '/v1.0'].map((base) => ({
  rule: 'VER-1',
  does: `has the base path ${base}`,
  base,
  change: {
    prepare: (world) => {
      world.base = base
    },
  },
}))
