import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseServerUrl, type ServerAddress } from '#/shared/server'
import { serverAddressSchema } from '#/shared/server-address'

const YEAR_S = 365 * 24 * 60 * 60

/** The port is in the name because all ports of a machine share cookies. */
const cookieName = (port: number): string => `vignette-server-${port}`

/** All ports of a machine share cookies: without a signature, any page served there could set the server. */
function sign(name: string, value: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`${name}=${value}`).digest('base64url')
}

/** The server that this browser chose; null if the cookie is missing, not signed by this host or no longer acceptable. */
export function chosenServer(request: Request, port: number, key: Uint8Array): ServerAddress | null {
  const name = cookieName(port)
  // Without making a list of all cookies, of which there may be 64 KB.
  const pair = new RegExp(`(?:^|;) *${name}=([^;.]*)\\.([^;. ]*)`).exec(request.headers.get('cookie') ?? '')
  const [, value = '', signature = ''] = pair ?? []
  const expected = Buffer.from(sign(name, value, key))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  try {
    const text = Buffer.from(value, 'base64url').toString('utf8')
    const address = serverAddressSchema.parse(JSON.parse(text))
    const url = parseServerUrl(address.url)
    return url.ok ? { ...address, url: url.url } : null
  } catch {
    return null
  }
}

/** The Set-Cookie header that saves the choice; null removes it. */
export function chosenServerCookie(address: ServerAddress | null, port: number, key: Uint8Array): string {
  const name = cookieName(port)
  const value = address === null ? '' : Buffer.from(JSON.stringify(address)).toString('base64url')
  const signed = address === null ? '' : `${value}.${sign(name, value, key)}`
  const age = address === null ? 0 : YEAR_S
  return `${name}=${signed}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict`
}
