import type { StepId } from './step.ts'

/** A body of a creation. NAME, CATEGORY, OTHER and ID in it stand for values of the run. */
export interface Body {
  /** The id of its exchange. */
  readonly id: StepId
  /** The rules that judge its response, for `--only`. */
  readonly judgedBy?: readonly string[]
  /** The end of the name of the animal. If the name is not under test, it has three letters, and the name at most 12 characters. */
  readonly tag?: string
  /** The text of the body; without it, the request has no body. */
  readonly text?: string
}

/** Rules that judge each status, and rules by which a rejection counts if the ordinary body is accepted. */
const statusRules = ['CREATE-3', 'CREATE-4', 'CREATE-5']
const rejectionRules = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 27].map((n) => `CREATE-${n}`)

const pet = '"name":NAME,"categoryId":CATEGORY'

/** A valid body without a status. */
export const plainPet: string = `{${pet}}`

/** Bodies with ordinary values. */
export const ordinaryBodies: readonly Body[] = [
  {
    id: 'create-available',
    judgedBy: [...statusRules, ...rejectionRules],
    tag: 'ava',
    text: `{${pet},"status":"available"}`,
  },
  { id: 'create-pending', judgedBy: statusRules, tag: 'pen', text: `{${pet},"status":"pending"}` },
  { id: 'create-sold', judgedBy: statusRules, tag: 'sol', text: `{${pet},"status":"sold"}` },
  { id: 'create-no-status', judgedBy: ['CREATE-3', 'CREATE-5'], tag: 'non', text: plainPet },
]

/** A category that a double cannot hold. It is the second `sold` one, so that a store that was empty has two animals of one status. */
export const largeCategory: Body = {
  id: 'create-int64',
  judgedBy: ['CREATE-3', 'CREATE-5', 'CREATE-21'],
  tag: 'big',
  text: '{"name":NAME,"categoryId":9007199254740993,"status":"sold"}',
}

/** A category that is new and small, in place of the large one. */
export const smallCategory: Body = {
  id: 'create-small-category',
  judgedBy: ['CREATE-21'],
  tag: 'sml',
  text: '{"name":NAME,"categoryId":OTHER,"status":"sold"}',
}

/** The end of the name under test: letters of several scripts, and what languages of markup and of queries escape. */
export const unusual = { scripts: 'ŁΩК猫𠮷ש', punctuation: '&<"\'' } as const

/** Bodies that a deployment may reject because of limits that the interface leaves open. */
export const unusualBodies: readonly Body[] = [
  {
    id: 'create-unusual-name',
    judgedBy: ['CREATE-5', 'CREATE-22'],
    tag: `${unusual.scripts} ${unusual.punctuation}`,
    text: `{${pet},"status":"pending"}`,
  },
  {
    id: 'create-own-id',
    judgedBy: ['CREATE-5', 'CREATE-23'],
    tag: 'own',
    text: `{${pet},"id":ID,"nickname":"Spot"}`,
  },
]

/** A body that is declared as another media type than JSON. */
export const textBody: Body = { id: 'create-text-plain', tag: 'typ', text: plainPet }

/** A body that is sent twice, with one `Idempotency-Key`. */
export const onceBody: Body = { id: 'create-once', tag: 'idm', text: plainPet }

/** Bodies that are invalid in one way each (section 4.2). The first ones show each way, the others the same ways again. */
export const invalidBodies: readonly Body[] = [
  { id: 'refuse-empty-object', judgedBy: ['CREATE-9'], text: '{}' },
  { id: 'refuse-no-name', judgedBy: ['CREATE-10'], text: '{"categoryId":CATEGORY}' },
  { id: 'refuse-no-category', judgedBy: ['CREATE-11'], tag: 'mis', text: '{"name":NAME}' },
  { id: 'refuse-name-number', judgedBy: ['CREATE-12'], text: '{"name":7,"categoryId":CATEGORY}' },
  {
    id: 'refuse-category-text',
    judgedBy: ['CREATE-13'],
    tag: 'txt',
    text: '{"name":NAME,"categoryId":"CATEGORY"}',
  },
  {
    id: 'refuse-category-fraction',
    judgedBy: ['CREATE-14'],
    tag: 'fra',
    text: '{"name":NAME,"categoryId":CATEGORY.5}',
  },
  { id: 'refuse-status', judgedBy: ['CREATE-15'], tag: 'los', text: `{${pet},"status":"lost"}` },
  { id: 'refuse-malformed', judgedBy: ['CREATE-16'], tag: 'mal', text: `{${pet}` },
  { id: 'refuse-no-body', judgedBy: ['CREATE-17'] },
  { id: 'refuse-array', judgedBy: ['CREATE-18'], tag: 'arr', text: `[${plainPet}]` },
  { id: 'refuse-nulls', judgedBy: ['CREATE-19'], text: '{"name":null,"categoryId":null}' },
  {
    id: 'refuse-beyond-int64',
    judgedBy: ['CREATE-20'],
    tag: 'bey',
    text: '{"name":NAME,"categoryId":9223372036854775808}',
  },
  {
    id: 'refuse-category-true',
    judgedBy: ['CREATE-13'],
    tag: 'tru',
    text: '{"name":NAME,"categoryId":true}',
  },
  { id: 'refuse-trailing', judgedBy: ['CREATE-16'], tag: 'trl', text: `${plainPet} {"a":1}` },
  { id: 'refuse-null', judgedBy: ['CREATE-18'], text: 'null' },
  { id: 'refuse-number', judgedBy: ['CREATE-18'], text: '5' },
  { id: 'refuse-string', judgedBy: ['CREATE-18'], text: '"x"' },
  { id: 'refuse-null-name', judgedBy: ['CREATE-19'], text: '{"name":null,"categoryId":CATEGORY}' },
  {
    id: 'refuse-null-category',
    judgedBy: ['CREATE-19'],
    tag: 'nul',
    text: '{"name":NAME,"categoryId":null}',
  },
  {
    id: 'refuse-below-int64',
    judgedBy: ['CREATE-20'],
    tag: 'blw',
    text: '{"name":NAME,"categoryId":-9223372036854775809}',
  },
  { id: 'refuse-status-null', judgedBy: ['CREATE-27'], tag: 'snu', text: `{${pet},"status":null}` },
  { id: 'refuse-status-number', judgedBy: ['CREATE-27'], tag: 'sno', text: `{${pet},"status":7}` },
]

/** A name with U+0000, which the interface neither allows nor forbids. */
export const nulName: Body = { id: 'odd-nul-name', tag: '\0', text: plainPet }
