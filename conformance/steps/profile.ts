/** @internal Every profile. */
export const profiles = ['read', 'create', 'exhaust', 'all'] as const

/**
 * Which requests a run sends. `read` sends only GETs. `create` also sends POSTs. `exhaust` sends the requests of `read`
 * and uses up a second key's limit. `all` combines `create` and `exhaust`.
 */
export type Profile = (typeof profiles)[number]

export function exhaustsLimit(profile: Profile): boolean {
  return profile === 'exhaust' || profile === 'all'
}

export function createsAnimals(profile: Profile): boolean {
  return profile === 'create' || profile === 'all'
}
