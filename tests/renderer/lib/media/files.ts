import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads a photo of the end-to-end tests. */
export function photo(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(import.meta.dirname, '../../../e2e/fixtures/photos', name)))
}

/** Bytes from hexadecimal digits and 'quoted' text, separated by spaces. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  const parts = text.match(/'[^']*'|\S+/g) ?? []
  return new Uint8Array(
    Buffer.concat(
      parts.map((part) =>
        part.startsWith("'") ? Buffer.from(part.slice(1, -1), 'latin1') : Buffer.from(part, 'hex'),
      ),
    ),
  )
}
