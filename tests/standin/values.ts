/** IPC values as JSON with markers for undefined and bytes; worlds.js uses the same format. */
export type Encoded =
  | string
  | number
  | boolean
  | null
  | Encoded[]
  | { is: 'undefined' }
  | { is: 'bytes'; base64: string }
  | { is: 'object'; of: [string, Encoded][] }

export function encode(value: unknown): Encoded {
  if (value === undefined) return { is: 'undefined' }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null) return null
  if (value instanceof Uint8Array) return { is: 'bytes', base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(encode)
  if (typeof value === 'object') {
    return { is: 'object', of: Object.entries(value).map(([key, item]) => [key, encode(item)]) }
  }
  throw new Error(`the electron stand-in carries no ${typeof value}`)
}

export function decode(value: Encoded): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (typeof value !== 'object' || value === null) return value
  if (value.is === 'undefined') return undefined
  if (value.is === 'bytes') return new Uint8Array(Buffer.from(value.base64, 'base64'))
  return Object.fromEntries(value.of.map(([key, item]) => [key, decode(item)]))
}
