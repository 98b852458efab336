import { beforeEach, expect, test, vi } from 'vitest'
import { quotedLoader } from '#/renderer/features/messages/related'
import { createQueryClient, onePerClient } from '#/renderer/lib/query-client'

const asked = vi.hoisted(() => [] as string[][])

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/lib/supabase', () => ({
  unwrap: (rows: unknown) => rows,
  supabase: () => ({
    from: () => ({
      select: () => ({
        in: (_column: string, ids: string[]) => {
          asked.push(ids)
          return ids.map((id) => ({ id }))
        },
      }),
    }),
  }),
}))

beforeEach(() => {
  asked.length = 0
})

test('each client has its own, made with what it was first asked for', () => {
  const of = onePerClient((me: string) => ({ me }))
  const [ana, bea] = [createQueryClient(), createQueryClient()]
  expect(of(ana, 'ana')).toEqual({ me: 'ana' })
  expect(of(ana, 'ana')).toBe(of(ana, 'ana'))
  expect(of(bea, 'bea')).toEqual({ me: 'bea' })
})

test('what two members of one window ask for at once is never one request', async () => {
  const [ana, bea] = [createQueryClient(), createQueryClient()]
  await Promise.all([quotedLoader(ana)('1'), quotedLoader(ana)('2'), quotedLoader(bea)('3')])
  expect(asked).toEqual([['1', '2'], ['3']])
})
