const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Whether the text can be the id of a row. Ids in addresses can be anything, and the server rejects invalid ones with
 * an error.
 */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * An id for a new row: a UUIDv7 (RFC 9562, section 5.7), whose time keeps new rows together in the server's indexes. Nothing may rely on
 * that time: the clock may be wrong. Not for object keys, links and codes, because it says when it was made.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}
