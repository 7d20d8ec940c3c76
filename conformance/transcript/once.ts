/** Remembers what was found in each transcript, exchange or answer: they never change once they are there. */
export function once<Thing extends object, Found>(find: (thing: Thing) => Found): (thing: Thing) => Found {
  const found = new WeakMap<Thing, { readonly value: Found }>()
  return (thing) => {
    const known = found.get(thing) ?? { value: find(thing) }
    found.set(thing, known)
    return known.value
  }
}
