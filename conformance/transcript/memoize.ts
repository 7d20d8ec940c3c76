/** Returns a function that computes its result once for each transcript, exchange or response: none changes. */
export function memoize<Thing extends object, Found>(find: (thing: Thing) => Found): (thing: Thing) => Found {
  const found = new WeakMap<Thing, { readonly value: Found }>()
  return (thing) => {
    const known = found.get(thing) ?? { value: find(thing) }
    found.set(thing, known)
    return known.value
  }
}
