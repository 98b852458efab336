/** The first use of `Intl` in a page takes 10 ms: small counts, which are on the first screen, do without. */
export function once<T extends object>(create: () => T): () => T {
  let created: T | undefined
  return () => {
    created ??= create()
    return created
  }
}

const number = once(() => new Intl.NumberFormat('en'))
const compact = once(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }))

/** `1 like`, `2 likes`, `1,024 likes`. */
export function counted(n: number, one: string, other: string): string {
  return `${formatCount(n)} ${n === 1 ? one : other}`
}

/** A count as it stands beside an icon: `1,024`. */
export function formatCount(n: number): string {
  return n < 1_000 ? String(n) : number().format(n)
}

/** A count where there is little room: `9,999`, then `12.4K` and `3.1M`. */
export function shortCount(n: number): string {
  return n < 10_000 ? formatCount(n) : compact().format(n)
}
