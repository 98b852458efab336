const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether this can be a row's id. Addresses are typed and sent around, and the server refuses other ones. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
