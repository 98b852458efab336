import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'

/** Who may use a signed link. */
export interface LinkReader {
  member: string
  session: string
}

/**
 * The tokens of signed links. A token is valid for one reader, session and object; anyone who has it can use the link, but each use checks
 * the reader's rights.
 */
export interface LinkTokens {
  sign(reader: LinkReader, name: string, expiresIn: number): string
  /** The reader; null if the token is invalid, has expired or belongs to another object. */
  verify(token: string, name: string): LinkReader | null
}

/** Longest life of a link, and the interval to which that is rounded down, so that its URL stays equal and caches work. */
const LIFE_MAX_S = 3_600
const ROUND_S = 1_800

/** A token is about 300 characters long. */
const TOKEN_MAX = 1_000

const payloadSchema = z.strictObject({
  url: z.string(),
  reader: z.uuid(),
  session: z.uuid(),
  exp: z.number().int(),
})

/** Like the tokens of hosted links, these are JWTs whose `exp` clients can read. */
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/** @param key used for nothing else, so that no other token of the server is valid here, nor these elsewhere */
export function createLinkTokens(key: Uint8Array, now: () => number = Date.now): LinkTokens {
  const signatureOf = (content: string) => createHmac('sha256', key).update(content).digest()

  const read = (token: string): unknown => {
    const [header, payload, signature, ...rest] = token.split('.')
    if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0) return null
    const expected = Buffer.from(signatureOf(`${header}.${payload}`).toString('base64url'))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  }

  return {
    sign: ({ member, session }, name, expiresIn) => {
      const exp = expiryOf(Math.floor(now() / 1_000), expiresIn)
      const content = `${HEADER}.${encode({ url: name, reader: member, session, exp })}`
      return `${content}.${signatureOf(content).toString('base64url')}`
    },
    verify: (token, name) => {
      if (token.length > TOKEN_MAX) return null
      const { data } = payloadSchema.safeParse(read(token))
      if (data === undefined || data.url !== name || data.exp * 1_000 <= now()) return null
      return { member: data.reader, session: data.session }
    },
  }
}

/** In seconds since 1970. */
function expiryOf(now: number, expiresIn: number): number {
  const latest = now + Math.min(expiresIn, LIFE_MAX_S)
  return expiresIn < LIFE_MAX_S ? latest : Math.floor(latest / ROUND_S) * ROUND_S
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
