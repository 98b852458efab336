import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLink } from '#/shared/routes'
import { parseServerLink, serverLink } from '#/shared/server-link'

const ADDRESS = { url: 'https://abcdef.supabase.co', publishableKey: 'sb_publishable_a-b_C.9' }
const link = (parameters: string) => `vignette://connect?${parameters}`
const GOOD = 'url=https%3A%2F%2Fabcdef.supabase.co&key=sb_1'

describe('DESK-05 DESK-08 a link to a server', () => {
  test('carries the address and the publishable key, and is no link to a page', () => {
    expect(serverLink(ADDRESS)).toBe(
      'vignette://connect?url=https%3A%2F%2Fabcdef.supabase.co&key=sb_publishable_a-b_C.9',
    )
    expect(parseServerLink(serverLink(ADDRESS))).toEqual(ADDRESS)
    expect(parseServerLink(link(GOOD).replace('connect', 'CONNECT/'))).toEqual({
      ...ADDRESS,
      publishableKey: 'sb_1',
    })
    expect(parseLink(serverLink(ADDRESS))).toBeNull()
  })

  test.each([
    'url=https://abcdef.supabase.co',
    'key=sb_1',
    'url=&key=sb_1',
    'url=https://abcdef.supabase.co&key=',
    `${GOOD}&key=sb_2`,
    `${GOOD}&url=https://evil.example`,
    `${GOOD}&connect=1`,
    `${GOOD}#access_token=a`,
    'url=http://example.com&key=sb_1',
    'url=https://user:secret@example.com&key=sb_1',
    'url=https://example.com/path&key=sb_1',
    'url=https://exa%20mple.com&key=sb_1',
    'url=javascript:alert(1)&key=sb_1',
    'url=file:///etc/passwd&key=sb_1',
    'url=https://example.com&key=a%20b',
    'url=https://example.com&key=%3Cb%3E',
    'url=https://example.com&key=%E2%80%AE',
    `url=https://example.com&key=${'a'.repeat(1_000)}`,
    '__proto__=a&key=sb_1',
  ])('is refused with %s', (parameters) => {
    expect(parseServerLink(link(parameters))).toBeNull()
  })

  test('is null or a valid address, whatever the text is', () => {
    const part = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.constantFrom('url=', '&key=', 'sb_1', '%', '#', '?', '@'),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const parsed = parseServerLink(link(parts.join('')))
        if (parsed !== null) expect(parseServerLink(serverLink(parsed))).toEqual(parsed)
      }),
    )
  })
})
