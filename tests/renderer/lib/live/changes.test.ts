import { expect, test, vi } from 'vitest'
import { createChangeReader } from '#/renderer/lib/live/changes'
import { onCaughtUp, onIdsChange } from '#/renderer/lib/live/row-changes-store'
import { TEXT_LIMITS } from '#/shared/limits'

const COLUMNS = 'id,content,thumbnail_url'

test('MEDIA-07 rows that come with a change are used, unless they contain pictures, which are checked when the rows are read', () => {
  const add = vi.fn()
  const reader = createChangeReader([
    { table: 'messages', columns: COLUMNS, createReader: () => ({ add, stop: () => undefined }) },
  ])
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`)
  const text = { id: a, content: 'Fog', thumbnail_url: null }
  const photo = { id: b, content: '', thumbnail_url: 'data:image/png;base64,AAAA' }
  reader.handle({ table: 'messages', type: 'INSERT', ids: [a], rows: [text] })
  reader.handle({ table: 'messages', type: 'INSERT', ids: [b], rows: [photo] })
  reader.handle({ table: 'messages', type: 'UPDATE', ids: [c], own: true })
  expect(add.mock.calls.map(([kind, { ids, own, rows }]) => [kind, ids, own, rows])).toEqual([
    ['insert', [a], undefined, [text]],
    ['insert', [b], undefined, undefined],
    ['update', [c], true, undefined],
  ])
})

test('MEDIA-07 a far too long text in a row that comes with a change is cut', () => {
  const add = vi.fn()
  const reader = createChangeReader([
    { table: 'messages', columns: COLUMNS, createReader: () => ({ add, stop: () => undefined }) },
  ])
  const id = 'aaaaaaaa-0000-4000-8000-000000000000'
  reader.handle({
    table: 'messages',
    type: 'INSERT',
    ids: [id],
    rows: [{ id, content: 'a'.repeat(900_000), thumbnail_url: null }],
  })
  expect(add.mock.calls[0]?.[1].rows[0].content).toHaveLength(2 * TEXT_LIMITS.message)
})

test.each([
  ['a text that is an object', { content: {} }],
  ['no text', { content: undefined }],
  ['a picture that is a number', { thumbnail_url: 7 }],
])('MSG-05 a row that comes with a change and has %s is read instead', (_, wrong) => {
  const add = vi.fn()
  const reader = createChangeReader([
    { table: 'messages', columns: COLUMNS, createReader: () => ({ add, stop: () => undefined }) },
  ])
  const id = 'aaaaaaaa-0000-4000-8000-000000000000'
  const row = JSON.parse(JSON.stringify({ id, content: 'Fog', thumbnail_url: null, ...wrong }))
  reader.handle({ table: 'messages', type: 'INSERT', ids: [id], rows: [row] })
  expect(add.mock.calls).toEqual([['insert', { table: 'messages', type: 'INSERT', ids: [id] }]])
})

test('NOTE-01 FEED-08 one broadcast may have several kinds of changes', () => {
  const add = vi.fn()
  const reader = createChangeReader([
    { table: 'notifications', columns: 'id', createReader: () => ({ add, stop: () => undefined }) },
  ])
  const told = vi.fn()
  const stopLikes = onIdsChange('likes', told)
  const stopNotifications = onIdsChange('notifications', told)
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`)
  reader.handle({
    table: 'likes',
    type: 'DELETE',
    ids: [a],
    also: [
      { table: 'notifications', type: 'DELETE', ids: [b] },
      { table: 'notifications', type: 'INSERT', ids: 'all' },
      { table: 'notifications', type: 'INSERT', ids: [c] },
      { table: 'notifications', type: 'DELETE', ids: [c] },
    ],
  })
  reader.handle({ table: 'likes', type: 'INSERT', ids: [b], also: {} })
  stopLikes()
  stopNotifications()
  expect(told.mock.calls.flat()).toEqual([
    { type: 'DELETE', ids: [a] },
    { type: 'DELETE', ids: [b] },
    { type: 'INSERT', ids: [b] },
  ])
  expect(add.mock.calls).toEqual([['insert', { table: 'notifications', type: 'INSERT', ids: [c] }]])
})

test('MSG-08 a change of more rows than the server announces at once is not kept: the screens read again, once', () => {
  vi.useFakeTimers()
  const [add, idsChanged, readAgain] = [vi.fn(), vi.fn(), vi.fn()]
  const reader = createChangeReader([
    { table: 'messages', columns: 'id', createReader: () => ({ add, stop: () => undefined }) },
  ])
  const ignore = [onIdsChange('conversations', idsChanged), onCaughtUp(readAgain)]
  const uuids = (count: number) =>
    Array.from(
      { length: count },
      (_, number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    )
  for (let frame = 0; frame < 50; frame++) {
    reader.handle({ table: 'messages', type: 'UPDATE', ids: uuids(101) })
    reader.handle({ table: 'conversations', type: 'DELETE', ids: uuids(101) })
  }
  vi.advanceTimersByTime(2_000)
  expect([add.mock.calls, idsChanged.mock.calls, readAgain.mock.calls.length]).toEqual([[], [], 1])
  reader.handle({ table: 'messages', type: 'UPDATE', ids: uuids(100) })
  expect(add).toHaveBeenCalledTimes(1)
  reader.handle({ table: 'messages', type: 'UPDATE', ids: uuids(101) })
  reader.stop()
  expect(vi.getTimerCount()).toBe(0)
  for (const end of ignore) end()
  vi.useRealTimers()
})

test('MSG-08 screens read again, once, after a reader has dropped changes', () => {
  vi.useFakeTimers()
  const readAgain = vi.fn()
  const ignore = onCaughtUp(readAgain)
  let drop = (): void => undefined
  createChangeReader([
    {
      table: 'messages',
      columns: 'id',
      createReader: (onDropped) => {
        drop = onDropped
        return { add: () => undefined, stop: () => undefined }
      },
    },
  ])
  drop()
  drop()
  vi.advanceTimersByTime(10_000)
  expect(readAgain).toHaveBeenCalledTimes(1)
  ignore()
  vi.useRealTimers()
})
