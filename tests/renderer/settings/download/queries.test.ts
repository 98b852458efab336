import { createClient } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readHidden } from '#/renderer/features/settings/download/queries'

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
