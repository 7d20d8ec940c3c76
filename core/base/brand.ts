const brand = Symbol.for('pet-adoption-service.brand')

/** The classes of errors that are recognised by their brand. */
export type Brand = 'ApiError' | 'BodyFailure' | 'StoreUnavailable' | 'LimiterUnavailable'

/** Gives the instances of a class a brand. Every copy of this package recognises it, where `instanceof` fails. */
export function setBrand(type: { readonly prototype: object }, name: Brand): void {
  Object.defineProperty(type.prototype, brand, { value: name })
}

/** Returns the brand of a value; undefined if it has none. */
export function brandOf(value: unknown): Brand | undefined {
  return (value as { [brand]?: Brand } | null | undefined)?.[brand] // whatever the value is, reading is safe
}
