import { expect, test } from 'vitest'
import {
  type Bumps,
  bump,
  latestFirst,
  withPendingTimes,
  withUpperBound,
} from '#/renderer/features/messages/list-order'

/** Years before the local clock: only the server's times count. */
function conversation(id: string, minute: number) {
  return { id, lastMessageAt: `2001-02-03T04:0${minute}:00.123456+00:00` }
}

function order(conversations: ReturnType<typeof conversation>[], bumps: Bumps = {}): string {
  return latestFirst(conversations, bumps)
    .map(({ id }) => id)
    .join('')
}

const all = [conversation('a', 1), conversation('b', 2), conversation('c', 3)]

test('MSG-01 sorts latest first, without duplicates, equal times by id', () => {
  expect(order([...all, conversation('a', 1)])).toBe('cba')
  expect(order([conversation('a', 1), conversation('b', 1)])).toBe('ba')
})

test('MSG-09 a pending message counts as the last message unless a later one arrived', () => {
  expect(order(withPendingTimes(all, { b: '2001-02-03T04:09:00.000Z' }))).toBe('bca')
  expect(order(withPendingTimes(all, { b: '2001-02-03T04:00:00.000Z' }))).toBe('cba')
})

test('MSG-02 a bumped conversation is on top before and after the list is fetched', () => {
  const bumps = { a: bump({}) }
  expect(order(all, bumps)).toBe('acb')
  expect(order(all, withUpperBound(bumps, conversation('c', 3).lastMessageAt))).toBe('acb')
})

test('MSG-02 a later message moves its conversation above a bumped one', () => {
  const bumps = withUpperBound({ a: bump({}) }, conversation('c', 3).lastMessageAt)
  expect(order([conversation('a', 1), conversation('b', 4), conversation('c', 3)], bumps)).toBe('bac')
  expect(order([conversation('a', 5), conversation('b', 4), conversation('c', 3)], bumps)).toBe('abc')
  expect(order([conversation('a', 5), conversation('b', 6), conversation('c', 3)], bumps)).toBe('bac')
})

test('MSG-02 the later of two bumped conversations is on top', () => {
  const first = { b: bump({}) }
  const both = { ...first, a: bump(first) }
  expect(order(all, both)).toBe('abc')
  expect(order(all, withUpperBound(both, conversation('c', 3).lastMessageAt))).toBe('abc')
  // A conversation that was bumped before the fetch keeps the bound of that fetch.
  const then = withUpperBound(first, conversation('c', 3).lastMessageAt)
  expect(withUpperBound({ ...then, a: bump(then) }, undefined)).toEqual({
    ...then,
    a: { order: 2, above: null },
  })
})
