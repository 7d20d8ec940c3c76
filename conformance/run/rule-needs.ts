/** The lists that every page is judged in, and lists with an invalid parameter. */
const lists = [
  ...['list', 'list-100', 'list-1', 'list-2', 'list-last', 'list-100-last', 'list-100-after'],
  ...['list-available', 'list-pending', 'list-sold', 'list-status-1'],
  ...['list-available-100', 'list-pending-100', 'list-sold-100'],
  ...['list-available-again', 'list-pending-again', 'list-sold-again'],
  ...['limit-0', 'limit-negative', 'limit-101', 'limit-word', 'status-undeclared'],
] as const

/** A list with each form of query, and the last ones. */
const forms = [
  'list',
  'list-100',
  'list-available',
  'list-available-100',
  'list-last',
  'list-100-last',
] as const

const firstAndLast = ['list', 'list-100', 'list-last', 'list-100-last', 'list-100-after'] as const
const listed = ['get-listed', ...firstAndLast] as const

const gets = [
  ...['get-listed', 'get-unknown', 'get-word', 'get-partial-id'],
  ...['get-created', 'get-created-again'],
] as const

const statuses = ['create-available', 'create-pending', 'create-sold'] as const
const creations = [
  ...statuses,
  ...['create-no-status', 'create-int64', 'create-unusual-name', 'create-own-id'],
] as const

/**
 * The exchanges that each rule judges, for `only`. A rule that is not listed needs every exchange of its profile, as the
 * rules about all responses do. Exchanges that others depend on are found by the steps. A test compares the verdicts
 * with those of whole runs.
 */
export const needs: Readonly<Record<string, readonly string[]>> = {
  'VER-1': ['list', 'list-100', 'list-available'],
  'AUTH-1': ['no-key-list'],
  'AUTH-2': ['no-key-get', 'no-key-get-unknown'],
  'AUTH-3': ['no-key-create'],
  'AUTH-4': ['unknown-key-list'],
  'AUTH-5': ['unknown-key-get'],
  'AUTH-6': ['unknown-key-create'],
  'AUTH-8': ['empty-token'],
  'AUTH-11': ['list', 'key-other-case'],
  'AUTH-13': ['no-key-limit-0', 'no-key-get-unknown'],
  'LIST-1': forms,
  'LIST-2': forms,
  'LIST-3': forms,
  'LIST-4': lists,
  'LIST-5': lists,
  'LIST-8': ['list-1', 'list-status-1', ...firstAndLast],
  'LIST-9': ['list-available-100', 'list-pending-100', 'list-sold-100', ...firstAndLast],
  'LIST-15': lists,
  'LIST-16': lists,
  'LIST-18': lists,
  'LIST-20': ['list-2', ...firstAndLast],
  'GET-1': listed,
  'GET-2': listed,
  'GET-4': gets,
  'GET-5': ['get-word', 'get-partial-id'],
  'GET-6': listed,
  'GET-7': ['get-listed'],
  'GET-11': ['get-listed', 'get-partial-id'],
  'CREATE-3': [...statuses, 'create-no-status', 'create-int64'],
  'CREATE-4': statuses,
  'CREATE-5': creations,
  'CREATE-7': ['get-created', 'get-created-again'],
  'CREATE-9': ['create-available', 'refuse-empty-object'],
  'CREATE-10': ['create-available', 'refuse-no-name'],
  'CREATE-11': ['create-available', 'refuse-no-category'],
  'CREATE-12': ['create-available', 'refuse-name-number'],
  'CREATE-13': ['create-available', 'refuse-category-text', 'refuse-category-true'],
  'CREATE-14': ['create-available', 'refuse-category-fraction'],
  'CREATE-15': ['create-available', 'refuse-status'],
  'CREATE-16': ['create-available', 'refuse-malformed', 'refuse-trailing'],
  'CREATE-17': ['create-available', 'refuse-no-body'],
  'CREATE-18': ['create-available', 'refuse-array', 'refuse-null', 'refuse-number', 'refuse-string'],
  'CREATE-19': ['create-available', 'refuse-nulls', 'refuse-null-name', 'refuse-null-category'],
  'CREATE-20': ['create-available', 'refuse-beyond-int64', 'refuse-below-int64'],
  'CREATE-21': ['create-available', 'create-int64', 'create-small-category'],
  'CREATE-22': ['create-available', 'create-unusual-name'],
  'CREATE-23': ['create-own-id'],
  'RATE-9': ['burn'],
  'RATE-10': ['burn'],
  'RATE-11': ['burn'],
  'RATE-12': ['burn'],
  'RATE-13': ['burn'],
  'RATE-14': ['burn'],
  'RATE-15': ['burn'],
  'RATE-16': ['burn'],
}
