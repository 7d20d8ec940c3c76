/**
 * Every rule, by its level and the profile that it requires: the anchor of its statement in `conformance/interface.md`, and
 * what it requires, in one sentence. No id is renamed or used again.
 */
export const ruleTable = [
  {
    level: 'MUST',
    profile: 'read',
    rules: {
      'VER-1': [
        's9-version',
        'the path of the base URL under which an operation was found has the segment `v1`',
      ],
      'AUTH-1': ['s5-missing-key', 'listPets without a key returns 401'],
      'AUTH-2': ['s5-missing-key', 'getPet without a key returns 401'],
      'AUTH-4': ['s5-invalid-key', 'listPets with an unknown key returns 401'],
      'AUTH-5': ['s5-invalid-key', 'getPet with an unknown key returns 401'],
      'AUTH-7': [
        's5-other-scheme',
        'the key under another scheme than Bearer (as the user of Basic) returns 401',
      ],
      'AUTH-8': ['s5-empty-token', 'an empty bearer token returns 401'],
      'AUTH-9': ['s5-bearer', 'a valid key is accepted'],
      'AUTH-13': ['s5-before-the-rest', 'without a key, `limit=0` and getPet of an unknown id return 401'],
      'ERR-1': ['s7-code', 'an error is a JSON object with a string `code`'],
      'ERR-2': ['s7-message', 'an error has a string `message`'],
      'ERR-3': ['s7-status', 'an error has an integer `status`, which is the status of the response'],
      'ERR-4': ['s4-json', 'an error has the content type `application/json`'],
      'LIST-1': ['s4-1-list', '`GET /pets` with a key returns 200'],
      'LIST-2': ['s4-json', 'a list has the content type `application/json`'],
      'LIST-3': ['s2-bare-array', 'a list is a bare array'],
      'LIST-4': [
        's2-required-fields',
        'every listed animal has the required fields of Pet, each of its type: `id` and `categoryId` integers within int64, `name` a string',
      ],
      'LIST-5': [
        's2-status-values',
        'the `status` of a listed animal, where it has one, is a PetStatus (`null` is not)',
      ],
      'LIST-6': ['s4-1-limit-default', 'a list without `limit` has at most 20 animals'],
      'LIST-8': ['s4-1-limit-minimum', '`limit=1` returns 200 and at most 1 animal'],
      'LIST-9': ['s4-1-limit-maximum', '`limit=100` returns 200 and at most 100 animals'],
      'LIST-10': ['s4-1-limit-maximum', '`limit=101` never returns more than 100 animals'],
      'LIST-12': ['s3-filter', '`status=available` returns no animal of another status'],
      'LIST-13': ['s3-filter', '`status=pending` returns no animal of another status'],
      'LIST-14': ['s3-filter', '`status=sold` returns no animal of another status'],
      'LIST-15': [
        's3-filter-complete',
        'a filter hides nothing: an animal that the first and the last unfiltered page show with a status is on every complete page of that status',
      ],
      'LIST-16': ['s4-1-limit-and-status', '`limit` and `status` apply together'],
      'LIST-18': ['s2-id-unique', 'no page has an id twice'],
      'LIST-20': ['s4-1-limit-kept', '`limit=2` returns 200 and at most 2 animals'],
      'GET-1': ['s4-3-found', 'getPet returns 200 and a Pet for an animal on the first and the last page'],
      'GET-2': ['s4-3-id', 'getPet returns the animal with the id that was requested'],
      'GET-3': [
        's4-3-as-listed',
        'getPet returns the name, the category and, where both show one, the status that the first and the last page show',
      ],
      'GET-4': [
        's4-3-not-found',
        'getPet returns 404 for an id that no listed animal has, drawn at random from the upper half of int64',
      ],
      'GET-6': [
        's9-removal',
        'getPet is available: the id of a listed animal does not return 404, 405 or 410',
      ],
      'GET-10': ['s4-json', 'a success of getPet has the content type `application/json`'],
      'RATE-1': ['s8-header-limit', '`X-RateLimit-Limit` is on every response, errors included'],
      'RATE-2': ['s8-header-remaining', '`X-RateLimit-Remaining` is on every response, errors included'],
      'RATE-3': ['s8-header-reset', '`X-RateLimit-Reset` is on every response, errors included'],
      'RATE-4': ['s8-whole-numbers', 'the three rate-limit headers are whole numbers and not negative'],
      'RATE-6': [
        's8-reset-time',
        '`X-RateLimit-Reset` is a Unix time in seconds, not past nor more than 25 hours and 2 minutes ahead',
      ],
      'RATE-8': [
        's8-plan-limit',
        'with `--plan`, `X-RateLimit-Limit` on the responses to the key, 401s apart, is one of that plan’s two numbers',
      ],
    },
  },
  {
    level: 'MUST',
    profile: 'create',
    rules: {
      'AUTH-3': ['s5-missing-key', 'createPet with a valid body and without a key returns 401'],
      'AUTH-6': ['s5-invalid-key', 'createPet with a valid body and an unknown key returns 401'],
      'AUTH-14': [
        's5-before-the-rest',
        'createPet with an invalid body returns 401, without a key and with an unknown key',
      ],
      'CREATE-1': ['s4-2-created', 'createPet with a valid body returns 201'],
      'CREATE-2': ['s4-2-pet', 'createPet returns a Pet with an `id`'],
      'CREATE-3': ['s4-2-as-sent', 'createPet returns `name` and `categoryId` as they were sent'],
      'CREATE-4': [
        's3-status-on-creation',
        'createPet accepts `available`, `pending` and `sold`, and returns none as another',
      ],
      'CREATE-5': [
        's3-status-optional',
        'createPet accepts a body without `status`, and returns none or a PetStatus',
      ],
      'CREATE-6': ['s2-id-unique', 'no two animals get the same id, and no new one an id already listed'],
      'CREATE-7': [
        's4-3-created',
        'getPet returns a new animal under its name, asked once more after a second if at first it does not',
      ],
      'CREATE-8': [
        's3-filter-complete',
        'a new animal is on the page of its status, when that page is complete, asked once more after two seconds if at first it is not',
      ],
      'CREATE-9': ['s4-2-required-fields', 'createPet with the body `{}` returns 400'],
      'CREATE-10': ['s4-2-required-fields', 'createPet with no `name` returns 400'],
      'CREATE-11': ['s4-2-required-fields', 'createPet with no `categoryId` returns 400'],
      'CREATE-12': ['s4-2-invalid-name', 'createPet with a `name` that is not a string returns 400'],
      'CREATE-13': ['s4-2-invalid-category', 'createPet with a string or `true` as `categoryId` returns 400'],
      'CREATE-14': ['s4-2-invalid-category', 'createPet with a fraction as `categoryId` returns 400'],
      'CREATE-15': ['s4-2-invalid-status', 'createPet with an unknown `status` returns 400'],
      'CREATE-16': [
        's4-2-not-json',
        'createPet with malformed JSON, or text behind a valid document, returns 400',
      ],
      'CREATE-17': ['s4-2-no-body', 'createPet with no body returns 400'],
      'CREATE-18': [
        's4-2-not-an-object',
        'createPet with JSON that is no object (an array, `null`, a number, a string) returns 400',
      ],
      'CREATE-19': [
        's4-2-null',
        'createPet with `null` for both required fields, or for one of them, returns 400',
      ],
      'CREATE-20': [
        's4-2-invalid-category',
        'createPet with a `categoryId` beyond int64, above or below, returns 400',
      ],
      'CREATE-21': [
        's2-int64',
        'an int64 that a double cannot hold (9007199254740993) comes back digit for digit',
      ],
      'CREATE-22': ['s2-name-text', 'a name in several scripts, when accepted, comes back as sent'],
      'CREATE-24': [
        's4-2-rejected',
        'a rejected creation, also one without a valid key, leaves no animal behind, as far as complete pages show',
      ],
      'CREATE-25': ['s4-json', 'a success of createPet has the content type `application/json`'],
      'CREATE-26': [
        's4-2-stored',
        'later responses show a new animal with the `name` and the `categoryId` that were sent',
      ],
      'CREATE-28': [
        's2-name-text',
        'a name with `&`, `<`, `"` and `\'`, when accepted, comes back as sent, at once and later',
      ],
    },
  },
  {
    level: 'MUST',
    profile: 'exhaust',
    rules: {
      'RATE-9': ['s8-too-many-requests', 'a request past the limit returns 429'],
      'RATE-10': ['s8-retry-after', 'a 429 carries `Retry-After`, in seconds or as an HTTP-date'],
      'RATE-11': ['s8-headers-of-429', 'a 429 carries the three rate-limit headers'],
    },
  },
  {
    level: 'SHOULD',
    profile: 'read',
    rules: {
      'ERR-5': ['s7-not-empty', '`code` and `message` of an error are not empty'],
      'ERR-6': ['s7-no-server-error', 'no request of the suite returns a 5xx'],
      'ERR-7': [
        's7-unknown-paths',
        'a path below the base URL that leads nowhere returns an Error and the three rate-limit headers',
      ],
      'LIST-7': [
        's4-1-limit-default-full',
        'a list without `limit` has exactly 20 animals when there are more than 20',
      ],
      'LIST-11': [
        's4-1-limit-invalid',
        '`limit` of 0, −1, 101 or `abc` returns a 4xx, or at most 100 animals (none, for 0, is fine)',
      ],
      'LIST-17': [
        's3-filter-undeclared',
        'an undeclared status (a plain word, such as `lost`) returns a 4xx, or no animals of another status',
      ],
      'LIST-19': ['s4-1-limit-monotonic', '`limit=100` returns no fewer animals than the default page'],
      'GET-5': ['s4-3-invalid-id', 'getPet returns a 4xx for a `petId` that is not an integer'],
      'GET-7': ['s9-removed', 'getPet is gone from 7 December 2030, 00:00 UTC: it returns 404, 405 or 410'],
      'GET-8': [
        's9-sunset',
        'a `Sunset` header on a response of getPet, where present, is an HTTP-date on 5 December 2030 in some time zone',
      ],
      'GET-11': ['s4-3-whole-id', 'a `petId` that only begins with a listed id is not served'],
      'RATE-5': [
        's8-remaining-within-limit',
        '`X-RateLimit-Remaining` is never more than `X-RateLimit-Limit`',
      ],
      'RATE-7': ['s8-remaining-falls', '`X-RateLimit-Remaining` falls with use'],
    },
  },
  {
    level: 'SHOULD',
    profile: 'create',
    rules: {
      'CREATE-23': ['s2-id-assigned', 'the service assigns the id, not the body'],
      'CREATE-27': ['s4-2-status-type', 'createPet with a `status` of `null` or of a number returns 400'],
    },
  },
  {
    level: 'SHOULD',
    profile: 'exhaust',
    rules: {
      'AUTH-12': ['s5-header-only', 'a key in the query (`access_token`), without the header, is not served'],
      'AUTH-15': [
        's5-whole-key',
        'only the key itself is accepted: with a character more, with one less and in the other case, it returns 401',
      ],
      'AUTH-16': ['s5-header-only', 'a key in `X-API-Key`, without the header, is not served'],
      'RATE-12': [
        's8-rejected-only-at-the-limit',
        'no request returns 429 while `X-RateLimit-Remaining` of the last response is more than 0',
      ],
      'RATE-13': ['s7-after-the-wait', 'the key is accepted again a second after `Retry-After` has passed'],
      'RATE-14': ['s8-nothing-remains', '`X-RateLimit-Remaining` of a 429 is 0'],
      'RATE-15': [
        's8-retry-after-and-reset',
        '`Retry-After` is at most 60 s longer than until `X-RateLimit-Reset`',
      ],
      'RATE-16': [
        's8-reset-restores',
        'once `X-RateLimit-Reset` and `Retry-After` have passed, one request leaves `X-RateLimit-Limit` − 1, give or take one',
      ],
    },
  },
  {
    level: 'HTTP',
    profile: 'read',
    rules: {
      'AUTH-10': ['s5-challenge', 'a 401 carries `WWW-Authenticate: Bearer`'],
      'AUTH-11': ['s5-scheme-case', 'the name of the scheme Bearer is accepted in any case'],
      'GET-9': [
        's9-deprecation',
        'a `Deprecation` header on a response of getPet, where present, has the form of RFC 9745',
      ],
    },
  },
] as const

type KeysOf<Rules> = Rules extends unknown ? keyof Rules : never

/** The id of a rule. */
export type RuleId = KeysOf<(typeof ruleTable)[number]['rules']>
