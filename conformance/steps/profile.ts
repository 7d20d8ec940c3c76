/** @internal Every profile. */
export const profiles = ['read', 'create', 'exhaust', 'all'] as const

/**
 * A choice of requests. `read` sends only GET. `create` also sends POST. `exhaust` also drives a second key to its
 * limit. `all` is `create` and `exhaust` together.
 */
export type Profile = (typeof profiles)[number]

/** Returns whether a profile drives the throttle key to its limit. */
export function burns(profile: Profile): boolean {
  return profile === 'exhaust' || profile === 'all'
}

/** Returns whether a profile sends POSTs. */
export function creates(profile: Profile): boolean {
  return profile === 'create' || profile === 'all'
}
