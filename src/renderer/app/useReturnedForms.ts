import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { hasPostDraft } from '#/renderer/features/composer'
import { POST_KIND } from '#/renderer/features/feed'
import { editStoryState, hasStoryDraft, NEW_STORY, STORY_KIND, withStory } from '#/renderer/features/stories'
import { isCovered, isTyping } from '#/renderer/lib/browser/shortcuts'
import { isLooking } from '#/renderer/lib/browser/visibility'
import { logIfFails } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { onUnshared } from '#/renderer/lib/local/unshared-post-store'
import type { OutboxRow } from '#/renderer/lib/outbox'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { texts } from '#/renderer/lib/texts'

/**
 * Opens the form of a queued post or story that has failed for an unknown reason as often as it is tried, with everything in it
 * (CREATE-10, STORY-10). While the member uses something else, it stays in the feed with 'Edit': docs/decisions/0063-unsent-texts.md.
 * Also the composer of a post that is not shared because a photo or video could not be prepared, after the member has left it (CREATE-07).
 */
export function useReturnedForms(me: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    let isOver = false
    const open = async ({ id, kind }: OutboxRow) => {
      if (kind === POST_KIND) {
        if (isIdle() && !hasPostDraft(me)) await navigate('/create', { state: { edit: id } })
      } else if (kind === STORY_KIND && !(await hasStoryDraft(me)) && !isOver && isIdle()) {
        const search = withStory(window.location.search, NEW_STORY)
        await navigate({ search }, { state: editStoryState(id) })
      }
    }
    const stop = pendingRows.subscribe((rows, before) => {
      const tried = before.filter(({ state }) => state !== 'refused').map(({ id }) => id)
      // The server's own refusals have a reason, which the feed shows.
      const failed = rows.filter(
        ({ id, state, reason }) => state === 'refused' && !reason && tried.includes(id),
      )
      for (const row of failed) logIfFails('outbox', open(row))
    })
    // Its draft has never left the composer.
    const stopUnshared = onUnshared(() => {
      if (isIdle()) void navigate('/create')
      else if (window.location.pathname !== '/create') showToast({ text: texts.outbox.notShared })
    })
    return () => {
      isOver = true
      stop()
      stopUnshared()
    }
  }, [me, navigate])
}

/** Whether the member looks at this window and uses no form, field, dialog or menu. */
function isIdle(): boolean {
  return (
    isLooking() && window.location.pathname !== '/create' && !isCovered() && !isTyping(document.activeElement)
  )
}
