const plural = new Intl.PluralRules('en')
const number = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `1 like`, `2 likes`, `1,024 likes`. */
export function counted(n: number, one: string, other: string): string {
  return `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`
}

/** A count as it stands beside an icon: `1,024`. */
export function formatCount(n: number): string {
  return number.format(n)
}

/** A count where there is little room: `9,999`, then `12.4K` and `3.1M`. */
export function shortCount(n: number): string {
  return (n < 10_000 ? number : compact).format(n)
}
