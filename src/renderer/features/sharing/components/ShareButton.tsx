import { Send } from 'lucide-react'
import { use, useState } from 'react'
import { IconButton } from '#/renderer/components/IconButton'
import { texts } from '#/renderer/lib/texts'
import type { ShareSource } from '../link'
import { ShareDialogContext } from '../share-dialog'

interface ShareButtonProps {
  source: ShareSource
  /** The dialog opens or closes. */
  onOpenChange?: (isOpen: boolean) => void
  size?: 'large' | 'medium'
  className?: string
}

/** Opens the dialog that copies a link or sends a post, story or profile to members (FEED-17). */
export function ShareButton({ source, onOpenChange, size = 'large', className = '' }: ShareButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const ShareDialog = use(ShareDialogContext)
  const change = (opens: boolean) => {
    setIsOpen(opens)
    onOpenChange?.(opens)
  }
  return (
    <>
      <IconButton
        label={texts.share.title}
        size={size}
        aria-haspopup="dialog"
        onClick={() => change(true)}
        className={className}
      >
        <Send />
      </IconButton>
      {isOpen && <ShareDialog source={source} onClose={() => change(false)} />}
    </>
  )
}
