import { Dialog } from '#/renderer/components/Dialog'
import { VideoEditor } from '#/renderer/components/VideoEditor'
import { type ClipEdit, partRules } from '#/renderer/lib/media'
import { composeVideo as words } from '#/renderer/lib/texts/later/compose-photos'
import { useComposerStore } from '../composer-store'
import type { DraftVideo } from '../draft-video'

interface ClipDialogProps {
  video: DraftVideo
  source: Blob
  onApply: (edit: ClipEdit) => void
  onClose: () => void
}

/** Chooses what is kept of a video, and its cover. */
export function ClipDialog({ video: { info, edit }, source, onApply, onClose }: ClipDialogProps) {
  const rules = partRules(
    info,
    useComposerStore(({ videoRules }) => videoRules),
  )
  const isWide = info.width >= info.height
  return (
    <Dialog title={words.trimTitle} onClose={onClose} isWide>
      <VideoEditor
        clip={{ source, info, edit }}
        rules={rules}
        note={words.longest(rules.seconds)}
        className={isWide ? 'aspect-video w-110' : 'aspect-9/16 h-[min(520px,55dvh)]'}
        onApply={onApply}
        onCancel={onClose}
      />
    </Dialog>
  )
}
