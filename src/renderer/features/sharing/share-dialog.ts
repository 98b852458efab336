import { type ComponentType, createContext } from 'react'
import type { ShareSource } from './link'

export interface ShareDialogProps {
  source: ShareSource
  onClose: () => void
}

/** The dialog that copies the link of a source or sends it to members. `app/` provides that of messages, which import this feature. */
export const ShareDialogContext = createContext<ComponentType<ShareDialogProps>>(() => {
  throw new Error('ShareDialogContext is not provided')
})
