/** Caches a function's results by its argument. Transcripts, exchanges and responses never change. */
export function memoize<Thing extends object, Found>(find: (thing: Thing) => Found): (thing: Thing) => Found {
  const resultCache = new WeakMap<Thing, { readonly value: Found }>()
  return (thing) => {
    const cachedResult = resultCache.get(thing) ?? { value: find(thing) }
    resultCache.set(thing, cachedResult)
    return cachedResult.value
  }
}
