import { expect, test } from 'vitest'
import { byReason, sharedColumns, sharedIn, sharedInsert } from '#/renderer/features/messages/model/shared'
import { texts } from '#/renderer/lib/texts'

const ID = '7f2a1c00-5d0e-4a00-9000-000000000001'

test.each(['post', 'story', 'profile'] as const)(
  'FEED-17 a shared %s is one column of its message',
  (kind) => {
    const columns = sharedColumns({ kind, id: ID })
    expect(columns).toMatchObject({ shared_kind: kind, ...sharedInsert({ kind, id: ID }) })
    expect(Object.values(columns).filter((value) => value === ID)).toHaveLength(1)
    expect(sharedIn(columns)).toEqual({ kind, id: ID })
    expect(sharedIn({ ...sharedColumns(undefined), shared_kind: kind })).toEqual({ kind, id: null })
  },
)

test('FEED-17 other messages share nothing', () => {
  expect(sharedIn(sharedColumns(undefined))).toBeNull()
})

test('FEED-17 names the members who did not get it by reason', () => {
  const failure = (username: string, message: string) => ({ recipient: { username }, error: { message } })
  expect(byReason([failure('ana', 'Closed.'), failure('ben', ''), failure('cy', 'Closed.')])).toEqual([
    { reason: 'Closed.', names: ['ana', 'cy'] },
    { reason: texts.connection.needed, names: ['ben'] },
  ])
})
