import { type JWTPayload, type JWTVerifyOptions, jwtVerify as verify } from 'jose'

export * from 'jose'

/** Verified tokens that are kept. */
const KEPT_MAX = 500

interface VerifiedToken {
  secret: Uint8Array
  payload: JWTPayload
  protectedHeader: Awaited<ReturnType<typeof verify>>['protectedHeader']
}

const verified = new Map<string, VerifiedToken>()

/**
 * jose's `jwtVerify`, which lite calls twice for each request with the same token, in two round trips to Node's thread pool each.
 * Here a token is verified once, and its expiry at each call. vite.backend.config.ts replaces jose in lite with this module.
 */
export async function jwtVerify(token: string, secret: Uint8Array, options: JWTVerifyOptions = {}) {
  const known = verified.get(token)
  if (known !== undefined && isValid(known, secret, options)) {
    return { payload: structuredClone(known.payload), protectedHeader: known.protectedHeader }
  }
  const { payload, protectedHeader } = await verify(token, secret, options)
  if (verified.size >= KEPT_MAX) verified.clear()
  verified.set(token, { secret, payload: structuredClone(payload), protectedHeader })
  return { payload, protectedHeader }
}

/** Whether jose would accept the token again. Calls with other options than the algorithm always ask jose. */
function isValid(
  { secret: used, payload: { exp, nbf }, protectedHeader: { alg } }: VerifiedToken,
  secret: Uint8Array,
  { algorithms, ...others }: JWTVerifyOptions,
): boolean {
  const now = Math.floor(Date.now() / 1000)
  return (
    Object.keys(others).length === 0 &&
    algorithms?.includes(alg) === true &&
    Buffer.compare(used, secret) === 0 &&
    (exp === undefined || exp > now) &&
    (nbf === undefined || nbf <= now)
  )
}
