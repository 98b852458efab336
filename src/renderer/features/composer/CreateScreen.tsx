import { type FormEvent, useEffect, useLayoutEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { PostFields } from '#/renderer/components/PostFields'
import { useMe } from '#/renderer/features/auth'
import { canPost } from '#/renderer/features/post'
import { AddStoryLink } from '#/renderer/features/stories'
import { mediaOf } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { PhotoPicker } from './components/PhotoPicker'
import { dispatch, onPosted, openComposer, useComposerStore } from './composer-store'
import { useSharePostMutation } from './queries'

/** /create: a photo, words, a place. */
export function CreateScreen() {
  const navigate = useNavigate()
  const { id: me } = useMe()
  useLayoutEffect(() => openComposer(me), [me])
  useEffect(() => onPosted(() => void navigate('/')), [navigate])
  const draft = useComposerStore((state) => state.draft)
  const sharing = useSharePostMutation()

  const picture = mediaOf(draft.photo)
  // By the draft, not by this screen's request: one may have come back while the post is on its way.
  const isSharing = draft.sending !== null
  const canShare = canPost(draft, picture !== null) && !isSharing && draft.photo.state !== 'working'

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!canShare) return
    sharing.mutate(draft)
  }

  return (
    <main id="content" className="mx-auto max-w-230 px-4 pt-7 pb-16 sm:px-6">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="font-display text-[27px]">{texts.composer.title}</h1>
        <AddStoryLink className="rounded-sm font-medium text-[14.5px] text-accent underline-offset-3 hover:underline">
          {texts.makeStory.insteadOfPost}
        </AddStoryLink>
      </div>
      <form
        onSubmit={handleSubmit}
        className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 md:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]"
      >
        <PhotoPicker photo={draft.photo} picture={picture} isLocked={isSharing} />
        <div className="grid gap-4">
          <PostFields
            words={draft}
            onChange={(field, value) => dispatch({ type: 'typed', field, value })}
            hasPicture={picture !== null}
            isLocked={isSharing}
          />
          <Button variant="primary" type="submit" disabled={!canShare} className="h-11 w-full">
            {isSharing ? texts.composer.posting : texts.composer.share}
          </Button>
        </div>
      </form>
    </main>
  )
}
