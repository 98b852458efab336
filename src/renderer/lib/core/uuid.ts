const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Whether the text can be the id of a row. Ids in addresses can be anything, and the server rejects invalid ones with
 * an error.
 */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
