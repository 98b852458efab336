import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { SCROLL_KEY, useListScroll } from '#/renderer/lib/navigation/useListScroll'
import { settle, showHook } from '#tests/renderer/dom'

/** Shows a list whose scroller has this height and offset, leaves it, and returns the saved position. */
async function leave(clientHeight: number, scrollTop: number): Promise<unknown> {
  const client = new QueryClient()
  const element = { current: document.createElement('div') }
  Object.defineProperties(element.current, {
    clientHeight: { value: clientHeight },
    scrollTop: { value: scrollTop },
  })
  const { unmount } = showHook(
    () =>
      useListScroll({
        list: ['explore'],
        ids: ['a', 'b', 'c'],
        isReady: true,
        query: { hasNextPage: false, isFetching: false, fetchNextPage: () => undefined },
        positionAt: (offset) => ({ id: 'b', top: offset - 300 }),
        startOf: (index) => index * 300,
        element,
      }),
    { client, paths: ['/', '/?explore'] },
  )
  // Until it is known that no position was stored.
  await settle()
  unmount()
  return client.getQueryData([SCROLL_KEY, 'explore'])
}

test('FEED-16 the position of a list is saved when the member leaves it, unless it is hidden', async () => {
  expect(await leave(500, 340)).toEqual({ id: 'b', top: 40 })
  expect(await leave(0, 0)).toBeNull()
})
