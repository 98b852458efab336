import { type FormEvent, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { DiscardChanges } from '#/renderer/components/DiscardChanges'
import { LimitedField } from '#/renderer/components/LimitedField'
import { Picture } from '#/renderer/components/Picture'
import { PostFields } from '#/renderer/components/PostFields'
import { useMe } from '#/renderer/features/auth'
import type { StoredMedia } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { postEdits } from '../drafts'
import { ALT_FIELDS, altFields, canSave, type PostEdit } from '../model'
import { useEditPostMutation } from '../mutations/posts'
import { type Post, usePostMedia } from '../queries'
import { videosOf } from './FeedPhotos'

interface EditPostDialogProps {
  post: Post
  onClose: () => void
}

/** Edits the texts of the member's post (PROF-13). Closing the dialog keeps unsaved changes. */
export function EditPostDialog({ post, onClose }: EditPostDialogProps) {
  const { id: me } = useMe()
  const media = usePostMedia(post)
  const [stored, setStored] = useState<PostEdit>({
    content: post.content,
    location: post.location ?? '',
    ...altFields(post.media.length === 0 ? [post] : post.media),
  })
  const { values: words, isChanged, change, discard } = postEdits.use(me, post.id, stored)
  const editing = useEditPostMutation(post, media.length > 0)
  const isReady = canSave(words, media.length) && !editing.isPending

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    editing.mutate(words, {
      // What was typed meanwhile belongs to the next save.
      onSuccess: (_saved, edit) => (postEdits.hasChanges(me, post.id) ? setStored(edit) : onClose()),
    })
  }

  return (
    <Dialog title={texts.post.editPost} onClose={onClose}>
      <form onSubmit={handleSubmit} className="grid gap-4">
        <PostFields
          me={me}
          words={words}
          onChange={(field, value) => change({ [field]: value })}
          hasPicture={media.length === 1}
          isLocked={false}
        />
        {media.length > 1 &&
          media.map((photo, index) => (
            <AltTextField
              // A stored photo keeps its place.
              key={ALT_FIELDS[index]}
              photo={photo}
              label={texts.post.altOf(index + 1, media.length, videosOf(media))}
              value={words[ALT_FIELDS[index] ?? 'altText']}
              onChange={(text) => change({ [ALT_FIELDS[index] ?? 'altText']: text })}
            />
          ))}
        <div className="flex flex-wrap justify-end gap-2.5">
          {isChanged && <DiscardChanges onDiscard={discard} isLocked={editing.isPending} />}
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" disabled={!isReady}>
            {editing.isPending ? texts.post.saving : texts.post.saveChanges}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface AltTextFieldProps {
  photo: StoredMedia
  label: string
  value: string
  onChange: (text: string) => void
}

/** The alt text of one of several photos, beside the photo. */
function AltTextField({ photo, label, value, onChange }: AltTextFieldProps) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-end gap-3">
      <Picture
        source={photo.source}
        alt=""
        sizes="48px"
        fit="cover"
        className="size-12 rounded-sm bg-lifted"
      />
      <LimitedField
        label={label}
        placeholder={texts.composer.altPlaceholder}
        value={value}
        limit={TEXT_LIMITS.altText}
        onChange={onChange}
      />
    </div>
  )
}
