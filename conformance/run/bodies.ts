/** A body of a creation. NAME, CATEGORY, OTHER and ID in it stand for values of the run. */
export interface Body {
  /** The id of its exchange. */
  readonly id: string
  /** The end of the name of the animal. If the name is not under test, it has three letters, and the name at most 12 characters. */
  readonly tag?: string
  /** The text of the body; without it, the request has no body. */
  readonly text?: string
}

const pet = '"name":NAME,"categoryId":CATEGORY'

/** A valid body without a status. */
export const plainPet: string = `{${pet}}`

/** Valid bodies. Two are `sold`, so that a store that was empty has two animals of one status. */
export const validBodies: readonly Body[] = [
  { id: 'create-available', tag: 'ava', text: `{${pet},"status":"available"}` },
  { id: 'create-pending', tag: 'pen', text: `{${pet},"status":"pending"}` },
  { id: 'create-sold', tag: 'sol', text: `{${pet},"status":"sold"}` },
  { id: 'create-no-status', tag: 'non', text: plainPet },
  { id: 'create-int64', tag: 'big', text: '{"name":NAME,"categoryId":9007199254740993,"status":"sold"}' },
]

/** A category that is new and small, in place of the large one. */
export const smallCategory: Body = {
  id: 'create-small-category',
  tag: 'sml',
  text: '{"name":NAME,"categoryId":OTHER,"status":"sold"}',
}

/** The end of the name under test: letters of several scripts, and what languages of markup and of queries escape. */
export const unusual = { scripts: 'ŁΩК猫𠮷ש', punctuation: '&<"\'' } as const

/** Bodies that a deployment may reject because of limits that the interface leaves open. */
export const unusualBodies: readonly Body[] = [
  {
    id: 'create-unusual-name',
    tag: `${unusual.scripts} ${unusual.punctuation}`,
    text: `{${pet},"status":"pending"}`,
  },
  { id: 'create-own-id', tag: 'own', text: `{${pet},"id":ID,"nickname":"Spot"}` },
]

/** A body that is declared as another media type than JSON. */
export const textBody: Body = { id: 'create-text-plain', tag: 'typ', text: plainPet }

/** A body that is sent twice, with one `Idempotency-Key`. */
export const onceBody: Body = { id: 'create-once', tag: 'idm', text: plainPet }

/** Bodies that are invalid in one way each (section 4.2). The first ones show each way, the others the same ways again. */
export const invalidBodies: readonly Body[] = [
  { id: 'refuse-empty-object', text: '{}' },
  { id: 'refuse-no-name', text: '{"categoryId":CATEGORY}' },
  { id: 'refuse-no-category', tag: 'mis', text: '{"name":NAME}' },
  { id: 'refuse-name-number', text: '{"name":7,"categoryId":CATEGORY}' },
  { id: 'refuse-category-text', tag: 'txt', text: '{"name":NAME,"categoryId":"CATEGORY"}' },
  { id: 'refuse-category-fraction', tag: 'fra', text: '{"name":NAME,"categoryId":CATEGORY.5}' },
  { id: 'refuse-status', tag: 'los', text: `{${pet},"status":"lost"}` },
  { id: 'refuse-malformed', tag: 'mal', text: `{${pet}` },
  { id: 'refuse-no-body' },
  { id: 'refuse-array', tag: 'arr', text: `[${plainPet}]` },
  { id: 'refuse-nulls', text: '{"name":null,"categoryId":null}' },
  { id: 'refuse-beyond-int64', tag: 'bey', text: '{"name":NAME,"categoryId":9223372036854775808}' },
  { id: 'refuse-category-true', tag: 'tru', text: '{"name":NAME,"categoryId":true}' },
  { id: 'refuse-trailing', tag: 'trl', text: `${plainPet} {"a":1}` },
  { id: 'refuse-null', text: 'null' },
  { id: 'refuse-number', text: '5' },
  { id: 'refuse-string', text: '"x"' },
  { id: 'refuse-null-name', text: '{"name":null,"categoryId":CATEGORY}' },
  { id: 'refuse-null-category', tag: 'nul', text: '{"name":NAME,"categoryId":null}' },
  { id: 'refuse-below-int64', tag: 'blw', text: '{"name":NAME,"categoryId":-9223372036854775809}' },
  { id: 'refuse-status-null', tag: 'snu', text: `{${pet},"status":null}` },
  { id: 'refuse-status-number', tag: 'sno', text: `{${pet},"status":7}` },
]

/** A name with U+0000, which the interface neither allows nor forbids. */
export const nulName: Body = { id: 'odd-nul-name', tag: '\0', text: plainPet }
