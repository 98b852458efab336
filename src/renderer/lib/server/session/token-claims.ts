/** The claims of an access token, which nobody has verified; null if it is none. */
export function tokenClaims(accessToken: string): Readonly<Record<string, unknown>> | null {
  try {
    const payload = accessToken.split('.')[1] ?? ''
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    const claims: unknown = JSON.parse(text)
    return typeof claims === 'object' && claims !== null ? { ...claims } : null
  } catch {
    return null
  }
}
