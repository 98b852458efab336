import { expect, test } from 'vitest'
import { latestFirst, pinned, placedBy, type Raised, raise } from '#/renderer/features/messages/raised'

/** Years away from any clock that this could run by: only the server's times count. */
function conversation(id: string, minute: number) {
  return { id, lastMessageAt: `2001-02-03T04:0${minute}:00.123456+00:00` }
}

function order(conversations: ReturnType<typeof conversation>[], raised: Raised = {}): string {
  return latestFirst(conversations, raised)
    .map(({ id }) => id)
    .join('')
}

const all = [conversation('a', 1), conversation('b', 2), conversation('c', 3)]

test('MSG-01 the list is latest first, each once, the same moment by id', () => {
  expect(order([...all, conversation('a', 1)])).toBe('cba')
  expect(order([conversation('a', 1), conversation('b', 1)])).toBe('ba')
})

test('MSG-09 what was written and is not sent counts as the last message, unless a later one came', () => {
  expect(order(placedBy(all, { b: '2001-02-03T04:09:00.000Z' }))).toBe('bca')
  expect(order(placedBy(all, { b: '2001-02-03T04:00:00.000Z' }))).toBe('cba')
})

test('MSG-02 what was taken up again is on top, before the list is read and after', () => {
  const raised = { a: raise({}) }
  expect(order(all, raised)).toBe('acb')
  expect(order(all, pinned(raised, conversation('c', 3).lastMessageAt))).toBe('acb')
})

test('MSG-02 a later message moves its conversation above, and an own one keeps its conversation there', () => {
  const raised = pinned({ a: raise({}) }, conversation('c', 3).lastMessageAt)
  expect(order([conversation('a', 1), conversation('b', 4), conversation('c', 3)], raised)).toBe('bac')
  expect(order([conversation('a', 5), conversation('b', 4), conversation('c', 3)], raised)).toBe('abc')
  expect(order([conversation('a', 5), conversation('b', 6), conversation('c', 3)], raised)).toBe('bac')
})

test('MSG-02 of two that were taken up the later one is above', () => {
  const first = { b: raise({}) }
  const both = { ...first, a: raise(first) }
  expect(order(all, both)).toBe('abc')
  expect(order(all, pinned(both, conversation('c', 3).lastMessageAt))).toBe('abc')
  // The one that was raised before the read keeps to that read.
  const then = pinned(first, conversation('c', 3).lastMessageAt)
  expect(pinned({ ...then, a: raise(then) }, undefined)).toEqual({ ...then, a: { order: 2, above: null } })
})
