import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { findHandlers } from '#/main/window/find'

/** Contents that record their calls and answer when the test says so. */
function openContents() {
  const contents = new EventEmitter()
  const calls: unknown[] = []
  let requestId = 0
  Object.assign(contents, {
    findInPage: (text: string, options: object) => {
      requestId += 1
      calls.push({ requestId, text, options })
      return requestId
    },
    stopFindInPage: (action: string) => calls.push(action),
  })
  const handlers = findHandlers(contents as unknown as Parameters<typeof findHandlers>[0])
  const answer = (id: number, activeMatchOrdinal: number, matches: number, finalUpdate = true) =>
    contents.emit('found-in-page', {}, { requestId: id, activeMatchOrdinal, matches, finalUpdate })
  return { handlers, calls, answer }
}

const first = { isForward: true, isNew: true }
const back = { isForward: false, isNew: false }

describe('DESK-12 a search in the page', () => {
  test('begins or goes on in Chromium, and returns its final result', async () => {
    const { handlers, calls, answer } = openContents()
    const found = handlers['find.search']('light', first)
    answer(1, 1, 1, false)
    answer(1, 2, 7)
    expect(await found).toEqual({ active: 2, matches: 7 })
    const before = handlers['find.search']('light', back)
    answer(2, 1, 7)
    expect(await before).toEqual({ active: 1, matches: 7 })
    expect(calls).toEqual([
      { requestId: 1, text: 'light', options: { forward: true, findNext: true } },
      { requestId: 2, text: 'light', options: { forward: false, findNext: false } },
    ])
  })

  test('returns null when another one or a stop comes first, whose results it does not take', async () => {
    const { handlers, calls, answer } = openContents()
    const found = handlers['find.search']('l', first)
    const next = handlers['find.search']('li', first)
    expect(await found).toBeNull()
    answer(1, 1, 9)
    answer(2, 1, 3)
    expect(await next).toEqual({ active: 1, matches: 3 })

    const last = handlers['find.search']('lig', first)
    await handlers['find.stop']('keepSelection')
    expect(await last).toBeNull()
    answer(3, 1, 1)
    expect(calls.at(-1)).toBe('keepSelection')
  })
})
