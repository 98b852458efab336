import { beforeEach, expect, test, vi } from 'vitest'
import { quotedLoader } from '#/renderer/features/messages/queries/messages'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { createQueryClient } from '#/renderer/lib/queries/query-client'

const asked = vi.hoisted(() => [] as string[][])

vi.mock('#/renderer/lib/server/supabase', () => ({
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

test('creates one value per client, with the arguments of the first call', () => {
  const of = onePerClient((me: string) => ({ me }))
  const [ana, bea] = [createQueryClient(), createQueryClient()]
  expect(of(ana, 'ana')).toEqual({ me: 'ana' })
  expect(of(ana, 'ana')).toBe(of(ana, 'ana'))
  expect(of(bea, 'bea')).toEqual({ me: 'bea' })
})

test('requests of two members in one window are never batched together', async () => {
  const [ana, bea] = [createQueryClient(), createQueryClient()]
  await Promise.all([quotedLoader(ana)('1'), quotedLoader(ana)('2'), quotedLoader(bea)('3')])
  expect(asked).toEqual([['1', '2'], ['3']])
})
