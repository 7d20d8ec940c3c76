/** Thrown by an import of an animal whose id exists already. */
export class ExistingId extends Error {
  readonly id: bigint

  constructor(id: bigint, cause: unknown) {
    super(`an animal with the id ${id} exists already`, { cause })
    this.id = id
  }
}
