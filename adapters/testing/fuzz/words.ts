/* Words for random requests: what the service knows, similar words, and words that have broken other servers. */

const splitWords = (text: string, separator = ' ') => text.split(separator)

export const methods: readonly string[] = splitWords(
  'GET GET GET GET GET GET POST POST POST POST POST POST HEAD PUT DELETE OPTIONS PATCH TRACE',
)

export const versions: readonly string[] = ['1.1', '1.0', '0.9', '2.0', '1.2', '']

export const authorities: readonly string[] = ['http://x', 'https://a:1', 'ftp://x', 'http://', 'x:443']

export const pathParts: readonly string[] = splitWords(
  '/v1 /pets / // . .. %2e %2F 1 7 -1 01 1.0 9223372036854775808 x * ? #',
)

export const queryParts: readonly string[] = splitWords(
  'limit status after page = = & 5 0 101 sold lost -3 % + %35 %zz 9223372036854775807',
)

export const headerNames: readonly string[] = splitWords(
  'content-type Content-Length content-encoding Transfer-Encoding expect Connection Upgrade host authorization ' +
    'x-forwarded-for Accept cookie origin Access-Control-Request-Method x-a te trailer keep-alive __proto__ constructor',
)

export const headerValues: readonly string[] = splitWords(
  'application/json|application/json; charset=utf-8|text/plain|gzip|identity|chunked|gzip, chunked|100-continue|wonders|' +
    'close|keep-alive|Upgrade|websocket|h2c|0|5|-1|70000|99999999999999999999|1e3|pets.example|a, b|[::1]:80|Bearer good|' +
    'Bearer bad|Basic eA==|10.0.0.1|1.2.3.4, ::1|::ffff:1.2.3.4|null|https://pets.example|',
  '|',
)

export const jsonTokens: readonly string[] = [
  ...splitWords(
    '{ } [ ] : , " "name" "categoryId" "status" "id" "__proto__" "Rex" "sold" 1 -0 1e3 1.5 1e400 true null NaN',
  ),
  ...splitWords('"\\ud83d" "\\u0000" "\\u0063ategoryId" "\\\\" 9223372036854775807 9223372036854775808'),
  ' ',
  '\n',
  '\ufeff',
]

export const categoryValues: readonly string[] = splitWords(
  '1 -1 0 1.0 1e3 1.5 "1" null 9007199254740993 9223372036854775808 1e-5 0.1e1 []',
)

export const petNames: readonly string[] = [
  ...splitWords('"Rex" "" "\\ud83d\\udc08" "\\udc08" "a\\u0000" 5 null "\\"}"'),
  `"${'x'.repeat(300)}"`,
  `"${'\\ud83d\\udc08'.repeat(1_001)}"`,
]

/** Characters with a meaning in URLs, headers or JSON. */
export const oddText: readonly string[] = [
  ...'aZ09 \t"\'%&=+?#/\\:;,.-_~[]{}()<>@!$*|^`\0\x7f\x80éÿ',
  ...splitWords('%2e %00 %ff %C3%A9'),
]

/** Bytes that break a request's structure. */
export const noise: readonly string[] = ['\r\n', '\r', '\n', ' ', ':', '\0', 'x', '0', '\r\n\r\n', '\xff']
