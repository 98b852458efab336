import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ListEnd } from '#/renderer/components/ListEnd'
import { texts } from '#/renderer/lib/texts'

const READ = { dataUpdatedAt: 1, hasNextPage: true, isFetchingNextPage: false, isError: false }

function draw(state: Partial<typeof READ>): string {
  const query = { ...READ, ...state, fetchNextPage: async () => undefined }
  return renderToStaticMarkup(<ListEnd query={query} scroller={{ current: null }} label="Loading more" />)
}

test('STORY-06 PROF-12 FEED-06 the end of a list shows the loading of the next page, and its failure', () => {
  expect(draw({})).toContain('Loading more')
  const failed = draw({ isError: true })
  expect(failed).toContain(`>${texts.tryAgain}</button>`)
  expect(failed).not.toContain('Loading more')
})

test('STORY-06 PROF-12 FEED-06 a complete list has nothing below it', () => {
  expect(draw({ hasNextPage: false })).toBe('')
})
