import { parseServerUrl, type ServerAddress, serverAddressSchema } from '#/shared/server'

const YEAR_S = 365 * 24 * 60 * 60

/** Cookies do not tell ports apart, hosts on several ports of one machine must. */
const cookieName = (port: number): string => `vignette-server-${port}`

/** The server that this browser chose, by its cookie; null for none or one that is no longer acceptable. */
export function chosenServer(request: Request, port: number): ServerAddress | null {
  const name = `${cookieName(port)}=`
  const pair = (request.headers.get('cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
  if (pair === undefined) return null
  try {
    const text = Buffer.from(pair.slice(name.length), 'base64url').toString('utf8')
    const address = serverAddressSchema.parse(JSON.parse(text))
    const url = parseServerUrl(address.url)
    return url.ok ? { ...address, url: url.url } : null
  } catch {
    return null
  }
}

/** Set-Cookie for a choice, or for none. */
export function chosenServerCookie(address: ServerAddress | null, port: number): string {
  const value = address === null ? '' : Buffer.from(JSON.stringify(address)).toString('base64url')
  const age = address === null ? 0 : YEAR_S
  return `${cookieName(port)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict`
}
