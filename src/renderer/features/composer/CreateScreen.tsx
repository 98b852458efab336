import { MapPin } from 'lucide-react'
import { type FormEvent, useId, useLayoutEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { Field } from '#/renderer/components/Field'
import { useMe } from '#/renderer/features/auth'
import { codePoints } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { PhotoPicker } from './components/PhotoPicker'
import { dispatch, openComposer, pictureOf, useComposerStore } from './composer-store'
import { useSharePostMutation } from './queries'

/** /create: a photo, words, a place. */
export function CreateScreen() {
  const navigate = useNavigate()
  const { id: me } = useMe()
  useLayoutEffect(() => openComposer(me), [me])
  const draft = useComposerStore((state) => state.draft)
  const sharing = useSharePostMutation()
  const textId = useId()

  const picture = pictureOf(draft)
  const isTooLong =
    codePoints(draft.content.trim()) > TEXT_LIMITS.post ||
    codePoints(draft.location.trim()) > TEXT_LIMITS.location ||
    codePoints(draft.altText.trim()) > TEXT_LIMITS.altText
  const isEmpty = draft.content.trim() === '' && picture === null
  const canShare = !isEmpty && !isTooLong && !sharing.isPending && draft.photo.state !== 'working'

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!canShare) return
    sharing.mutate(draft, {
      onSuccess: () => navigate('/'),
    })
  }

  return (
    <main id="content" className="mx-auto max-w-230 px-4 pt-7 pb-16 sm:px-6">
      <h1 className="mb-5 font-display text-[27px]">{texts.composer.title}</h1>
      <form onSubmit={handleSubmit} className="grid items-start gap-6 md:grid-cols-[1.25fr_1fr]">
        <PhotoPicker photo={draft.photo} picture={picture} isLocked={sharing.isPending} />
        <div className="grid gap-4">
          <div>
            <label htmlFor={textId} className="mb-1.5 block font-medium text-[13px] text-quiet">
              {texts.composer.textLabel}
            </label>
            <textarea
              id={textId}
              rows={6}
              placeholder={texts.composer.placeholder}
              value={draft.content}
              onChange={(event) => dispatch({ type: 'typed', field: 'content', value: event.target.value })}
              readOnly={sharing.isPending}
              dir="auto"
              className="field-sizing-content block max-h-90 min-h-34 w-full resize-none rounded-md border border-edge bg-raised px-3.5 py-2.5 outline-ink outline-offset-0"
            />
            <CharactersLeft text={draft.content.trim()} limit={TEXT_LIMITS.post} />
          </div>
          <div>
            <Field
              label={texts.composer.locationLabel}
              placeholder={texts.composer.locationPlaceholder}
              value={draft.location}
              onChange={(event) => dispatch({ type: 'typed', field: 'location', value: event.target.value })}
              readOnly={sharing.isPending}
              autoComplete="off"
              end={<MapPin aria-hidden="true" className="pointer-events-none me-2.5 size-4.5 text-quiet" />}
            />
            <CharactersLeft text={draft.location.trim()} limit={TEXT_LIMITS.location} />
          </div>
          {picture !== null && (
            <div>
              <Field
                label={texts.composer.altLabel}
                placeholder={texts.composer.altPlaceholder}
                value={draft.altText}
                onChange={(event) => dispatch({ type: 'typed', field: 'altText', value: event.target.value })}
                readOnly={sharing.isPending}
                autoComplete="off"
              />
              <CharactersLeft text={draft.altText.trim()} limit={TEXT_LIMITS.altText} />
            </div>
          )}
          <Button variant="primary" type="submit" disabled={!canShare} className="h-11 w-full">
            {sharing.isPending ? texts.composer.posting : texts.composer.share}
          </Button>
        </div>
      </form>
    </main>
  )
}
