/** Animals that are hard to store, one a line as `export` writes them: holes, no status, int64 extremes, odd names. */
export const oddAnimals: string = [
  [3, 'Rex', '9223372036854775807', 'sold'],
  [4, 'no status', '-9223372036854775808', undefined],
  [7, '', '0', 'available'],
  [10, 'two\u2028lines\u2029and\r\nmore\ttabs', '9007199254740993', 'pending'],
  [1_000_000, '"quotes" \'and\' \\backslashes\\ {"id":5}', '-1', undefined],
  [1_000_001, '👩‍👩‍👧 Кот 猫 e\u0301 \u{10ffff} \ufeff', '7', 'sold'],
  [4_294_967_297, '\u0001\u001b[31mred\u007f\u009b\u202e', '7', 'available'],
  ['9007199254740990', '𝕏'.repeat(1000), '9223372036854775807', 'pending'],
]
  .map(([id, name, categoryId, status]) => {
    const member = status === undefined ? '' : `,"status":"${status}"`
    return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${member}}\n`
  })
  .join('')
