import { useEffect, useEffectEvent } from 'react'
import { focusWhenRendered } from '#/renderer/lib/focus'
import { listenForShortcuts } from '#/renderer/lib/shortcuts'
import { HEADER_SPACE } from './header-space'

interface FeedShortcuts {
  count: number
  scrollToIndex: (index: number) => void
}

function indexOf(article: Element): number {
  return Number(article.closest('[data-index]')?.getAttribute('data-index') ?? -1)
}

/** The focused post, or else the first one that is not above the viewport. */
function currentPost(): Element | undefined {
  const focused = document.activeElement?.closest('[data-post]')
  if (focused != null) return focused
  return [...document.querySelectorAll('[data-post]')].find(
    (article) => article.getBoundingClientRect().bottom > HEADER_SPACE * 1.5,
  )
}

/** j and k move between posts; l, s and c like, save and comment on the current one. */
export function useFeedShortcuts({ count, scrollToIndex }: FeedShortcuts): void {
  const move = useEffectEvent((step: 1 | -1) => {
    const current = currentPost()
    const isFocused = current?.contains(document.activeElement) ?? false
    // The first press of j goes to the post on screen.
    const from = current === undefined ? -1 : indexOf(current)
    const to = Math.min(count - 1, Math.max(0, isFocused || step === -1 ? from + step : from))
    scrollToIndex(to)
    focusWhenRendered(() => document.querySelector(`[data-index="${to}"] [data-post]`))
  })

  useEffect(() => {
    const act = (action: string) => {
      currentPost()?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click()
    }
    return listenForShortcuts({
      j: () => move(1),
      k: () => move(-1),
      l: () => act('like'),
      s: () => act('save'),
      c: () => {
        // The button would close open comments.
        const field = currentPost()?.querySelector<HTMLElement>('[data-comment-field]')
        if (field == null) act('comment')
        else field.focus()
      },
    })
  }, [])
}
