import type { Legal } from '../variant.ts'

/** Base addresses that have the segment `v1`. */
export const legalVersions: readonly Legal[] = ['/api/v1', '/v1/shelter'].map((base) => ({
  gap: 'the base address',
  does: `has the base path ${base}`,
  base,
  change: {
    prepare: (world) => {
      world.base = base
    },
  },
}))
