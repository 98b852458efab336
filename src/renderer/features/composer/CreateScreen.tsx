import { type FormEvent, useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { PostFields } from '#/renderer/components/PostFields'
import { useMe } from '#/renderer/features/auth'
import type { NewPost } from '#/renderer/features/feed'
import { canPost } from '#/renderer/features/post'
import { AddStoryLink } from '#/renderer/features/stories'
import { logFailure } from '#/renderer/lib/logger'
import { mediaOf } from '#/renderer/lib/media'
import { discardRow, type OutboxRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { PhotoPicker } from './components/PhotoPicker'
import { dispatch, onPosted, openComposer, useComposerStore } from './composer-store'
import { isEmptyDraft } from './model'
import { useSharePostMutation } from './mutations'

/** /create: a photo, a text and a location. */
export function CreateScreen() {
  const navigate = useNavigate()
  const { id: me } = useMe()
  useLayoutEffect(() => openComposer(me), [me])
  useEffect(() => onPosted(() => void navigate('/')), [navigate])
  const draft = useComposerStore((state) => state.draft)
  const cannotEdit = useEditedPost()
  const sharing = useSharePostMutation()

  const picture = mediaOf(draft.photo)
  // From the draft, not from this screen's mutation: the member may have left and returned while it is sent.
  const isSharing = draft.sending !== null
  const canShare = canPost(draft, picture !== null) && !isSharing && draft.photo.state !== 'working'

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!canShare) return
    sharing.mutate(draft)
  }

  return (
    <main id="content" className="mx-auto max-w-275 px-4 pt-7 pb-16 sm:px-6">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="font-display text-[27px]">{texts.composer.title}</h1>
        <AddStoryLink className="rounded-sm font-medium text-[14.5px] text-accent underline-offset-3 hover:underline">
          {texts.makeStory.insteadOfPost}
        </AddStoryLink>
      </div>
      <form
        onSubmit={handleSubmit}
        className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 md:grid-cols-[minmax(0,37.5rem)_minmax(17.5rem,1fr)]"
      >
        <PhotoPicker
          photo={draft.photo}
          picture={picture}
          isLocked={isSharing}
          sendingId={draft.sending?.id ?? null}
        />
        <div className="grid gap-4">
          <PostFields
            words={draft}
            onChange={(field, value) => dispatch({ type: 'typed', field, value })}
            hasPicture={picture !== null}
            isLocked={isSharing}
          />
          {cannotEdit && <Alert>{texts.composer.editLater}</Alert>}
          <Button variant="primary" type="submit" disabled={!canShare} className="h-11 w-full">
            {isSharing ? texts.composer.posting : texts.composer.share}
          </Button>
        </div>
      </form>
    </main>
  )
}

/**
 * Takes the refused post that the feed's 'Edit' names out of the outbox. Returns true when the form is not empty: then the post
 * stays in the outbox.
 */
function useEditedPost(): boolean {
  const { state } = useLocation()
  const navigate = useNavigate()
  const id: unknown = state?.edit
  const [isBlocked, setIsBlocked] = useState(false)
  useEffect(() => {
    if (typeof id !== 'string') return
    const take = async () => {
      const row = await discardRow(id)
      if (row !== null) dispatch({ type: 'returned', id, post: (row as OutboxRow<NewPost>).payload })
      await navigate('.', { replace: true, state: null })
    }
    if (isEmptyDraft(useComposerStore.getState().draft)) {
      take().catch((cause: unknown) => logFailure('outbox', cause))
    } else setIsBlocked(true)
  }, [id, navigate])
  return isBlocked
}
