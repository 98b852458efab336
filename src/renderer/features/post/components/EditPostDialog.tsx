import { type FormEvent, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { DiscardChanges } from '#/renderer/components/DiscardChanges'
import { PostFields } from '#/renderer/components/PostFields'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { postEdits } from '../drafts'
import { canPost } from '../model'
import { useEditPostMutation } from '../mutations'
import { type Post, usePostPhoto } from '../queries'

interface EditPostDialogProps {
  post: Post
  onClose: () => void
}

/** Edits the texts of the member's post (PROF-13). Closing the dialog keeps unsaved changes. */
export function EditPostDialog({ post, onClose }: EditPostDialogProps) {
  const { id: me } = useMe()
  const [stored] = useState({
    content: post.content,
    location: post.location ?? '',
    altText: (post.photos[0] ?? post).alt_text ?? '',
  })
  const { values: words, isChanged, change, discard } = postEdits.use(me, post.id, stored)
  const hasPicture = usePostPhoto(post) !== null
  const editing = useEditPostMutation(post)
  const canSave = canPost(words, hasPicture) && !editing.isPending

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (canSave) editing.mutate({ words, hasPicture }, { onSuccess: onClose })
  }

  return (
    <Dialog title={texts.post.editPost} onClose={onClose}>
      <form onSubmit={handleSubmit} className="grid gap-4">
        <PostFields
          words={words}
          onChange={(field, value) => change({ [field]: value })}
          hasPicture={hasPicture}
          isLocked={editing.isPending}
        />
        <div className="flex flex-wrap justify-end gap-2.5">
          {isChanged && <DiscardChanges onDiscard={discard} isLocked={editing.isPending} />}
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" disabled={!canSave}>
            {editing.isPending ? texts.post.saving : texts.post.saveChanges}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
