import { Link as LinkIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { linkTo, routeOf, type ShareDialogProps } from '#/renderer/features/sharing'
import { logFailure } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import { SendToMembers } from './SendToMembers'

/** Copies the link of a post, story or profile, or sends it to members as a card. */
export function ShareDialog({ source, onClose }: ShareDialogProps) {
  return (
    <Dialog title={texts.share.titles[source.kind]} onClose={onClose}>
      <SendToMembers
        makeContent={(content) => ({ content, shared: { kind: source.kind, id: source.id } })}
        hasText
        onSent={onClose}
      >
        <CopyLink source={source} />
      </SendToMembers>
    </Dialog>
  )
}

function CopyLink({ source }: Pick<ShareDialogProps, 'source'>) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(linkTo(routeOf(source)))
      setState('copied')
    } catch (cause) {
      logFailure('copy link', cause)
      setState('failed')
    }
  }
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Button onClick={() => void handleCopy()}>
        <LinkIcon aria-hidden="true" className="size-4.5 stroke-[1.75]" />
        {texts.share.copyLink}
      </Button>
      <span role="status" className="text-[13.5px] text-quiet">
        {state === 'copied' && texts.share.copied}
        {state === 'failed' && texts.share.failedCopy}
      </span>
    </span>
  )
}
