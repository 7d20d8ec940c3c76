export const int64Min: bigint = -(2n ** 63n)
export const int64Max: bigint = 2n ** 63n - 1n
