import { useEffect, useRef } from 'react'
import { listenForShortcuts } from '#/renderer/lib/shortcuts'
import { HEADER_SPACE } from './header-space'

interface FeedShortcuts {
  count: number
  scrollToIndex: (index: number) => void
}

function indexOf(article: Element): number {
  return Number(article.closest('[data-index]')?.getAttribute('data-index') ?? -1)
}

/** The post that has the focus, else the first one that is not scrolled out at the top. */
function currentPost(): Element | undefined {
  const focused = document.activeElement?.closest('[data-post]')
  if (focused != null) return focused
  return [...document.querySelectorAll('[data-post]')].find(
    (article) => article.getBoundingClientRect().bottom > HEADER_SPACE * 1.5,
  )
}

/** Focuses a post once it is in the page: it may have to be rendered first. */
function focusPost(index: number): void {
  const find = () => document.querySelector<HTMLElement>(`[data-index="${index}"] [data-post]`)
  let frames = 20
  const attempt = () => {
    const article = find()
    if (article !== null) article.focus({ preventScroll: true })
    else if (frames-- > 0) requestAnimationFrame(attempt)
  }
  attempt()
}

/** j and k move from post to post; l, s and c like, save and comment on the current one. */
export function useFeedShortcuts(feed: FeedShortcuts): void {
  const latest = useRef(feed)
  useEffect(() => {
    latest.current = feed
  })

  useEffect(() => {
    const act = (action: string) => {
      currentPost()?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click()
    }
    const move = (step: 1 | -1) => {
      const { count, scrollToIndex } = latest.current
      const current = currentPost()
      const isFocused = current?.contains(document.activeElement) ?? false
      // The first press of j goes to the post one is looking at.
      const from = current === undefined ? -1 : indexOf(current)
      const to = Math.min(count - 1, Math.max(0, isFocused || step === -1 ? from + step : from))
      scrollToIndex(to)
      focusPost(to)
    }
    return listenForShortcuts({
      j: () => move(1),
      k: () => move(-1),
      l: () => act('like'),
      s: () => act('save'),
      c: () => {
        // The button would close comments that are open.
        const field = currentPost()?.querySelector<HTMLElement>('[data-comment-field]')
        if (field == null) act('comment')
        else field.focus()
      },
    })
  }, [])
}
