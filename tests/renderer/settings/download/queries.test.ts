import { createClient } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readHidden } from '#/renderer/features/settings/download/queries'
import { CHARACTERS_MOST } from '#/renderer/features/settings/download/read-all'
import { writeDownload } from '#/renderer/features/settings/download/write-download'
import { TEXT_LIMITS } from '#/shared/limits'
import { PROFILE_DEFAULTS } from '#tests/renderer/profile-row'

/** Maximum rows per response of a server, whatever the limit of the request. */
const ROW_CAP = 1_000
const COUNT = 2_345

const server = vi.hoisted(() => ({ fetch: async (_url: URL): Promise<Response> => new Response() }))

vi.mock('#/renderer/lib/server/supabase', async (importOriginal) => {
  const client = createClient('http://server.test', 'key', {
    global: { fetch: (input) => server.fetch(new URL(String(input))) },
    db: { retry: false },
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })
  return { ...(await importOriginal<object>()), supabase: () => client }
})

test.each(['blocked_members', 'muted_members'] as const)(
  'SAFE-05 all %s are read, beyond the rows of one response',
  async (list) => {
    const at = (number: number) => new Date(Date.UTC(2026, 0, 1) - number * 1_000).toISOString()
    const rows = Array.from({ length: COUNT }, (_, number) => ({
      id: `id-${number}`,
      username: number === 3 ? '' : `member.${number}`,
      full_name: number === 3 ? '' : `Member ${number}`,
      created_at: at(number),
    }))
    server.fetch = async ({ pathname, searchParams }) => {
      expect(pathname).toBe(`/rest/v1/rpc/${list}`)
      expect(searchParams.get('order')).toBe('created_at.desc,id.desc')
      const before = searchParams.get('created_at')?.replace('lte.', '') ?? null
      // Every row has a different time here, so the tiebreaker of the keyset page is not needed.
      const rest = rows.filter(({ created_at }) => before === null || created_at < before)
      return Response.json(rest.slice(0, Math.min(ROW_CAP, Number(searchParams.get('limit') ?? ROW_CAP))))
    }
    const counts: number[] = []
    const read = {
      me: 'me',
      signal: new AbortController().signal,
      onRead: (count: number) => counts.push(count),
    }
    const hidden = await readHidden(read, list)
    expect(hidden).toHaveLength(COUNT)
    expect(hidden[3]).toEqual({ person: null, created_at: at(3) })
    expect(hidden.at(-1)).toEqual({
      person: { username: `member.${COUNT - 1}`, full_name: `Member ${COUNT - 1}` },
      created_at: at(COUNT - 1),
    })
    expect(counts.at(-1)).toBe(COUNT)
  },
)

test('SAFE-05 a server that sends the longest texts for ever ends the download, before they fill the memory', async () => {
  // Longer ones are cut.
  const longest = (limit: number) => 'W'.repeat(2 * limit)
  const row = {
    like_count: 0,
    comment_count: 0,
    edited_at: null,
    content: longest(TEXT_LIMITS.post),
    location: longest(TEXT_LIMITS.location),
    alt_text: longest(TEXT_LIMITS.altText),
  }
  const rows = Array.from({ length: 500 }, (_, index) => ({
    ...row,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    created_at: '2026-01-01T00:00:00Z',
  }))
  const page = JSON.stringify(rows)
  const profile = {
    id: rows[0]?.id,
    username: 'ada',
    full_name: 'Ada',
    bio: '',
    website: null,
    ...PROFILE_DEFAULTS,
    post_count: 1,
    follower_count: 0,
    following_count: 0,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }
  let pages = 0
  server.fetch = async ({ pathname }) => {
    if (pathname === '/rest/v1/profiles') return Response.json(profile)
    pages += 1
    expect(pages).toBeLessThan(1_000)
    return new Response(page, { headers: { 'content-type': 'application/json' } })
  }
  const written = writeDownload({
    me: profile.id ?? '',
    email: 'ada@example.com',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  await expect(written).rejects.toMatchObject({ name: 'AppError', code: 'refused' })
  expect(pages).toBe(Math.ceil(CHARACTERS_MOST / page.length))
})
