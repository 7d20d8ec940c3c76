/** How many slots a Redis Cluster divides its keys into. */
export const slots = 16_384

/** The CRC-16 (XMODEM) of each byte. */
const crcTable: readonly number[] = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc & 0xffff
})

const encoder = new TextEncoder()

/** Returns the slot of a key, as Redis Cluster defines it: only the text between the first `{` and the next `}` counts, if there is any. */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = open < 0 ? -1 : key.indexOf('}', open + 1)
  const counted = close > open + 1 ? key.slice(open + 1, close) : key
  let crc = 0
  for (const byte of encoder.encode(counted)) crc = ((crc << 8) & 0xffff) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)
  return crc % slots
}
