import { X } from 'lucide-react'
import { IconButton } from '#/renderer/components/IconButton'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { lineOf } from '../preview'
import { useQuotedQuery } from '../related'

interface ReplyPreviewProps {
  conversationId: string
  /** The message that is answered. */
  id: string
  otherName: string
  onCancel: () => void
}

/** Above the field: which message one is about to answer. */
export function ReplyPreview({ conversationId, id, otherName, onCancel }: ReplyPreviewProps) {
  const { id: me } = useMe()
  const quoted = useQuotedQuery(conversationId, id)
  const isOwn = quoted?.sender_id === me
  return (
    <div className="mb-2 flex animate-appear items-center gap-2.5 rounded-e-md border-accent border-s-2 bg-sunk py-1 ps-3 pe-1">
      {quoted?.thumbnail_url != null && (
        <img src={quoted.thumbnail_url} alt="" className="size-8 shrink-0 rounded-sm object-cover" />
      )}
      <div className="min-w-0 flex-1 text-[13px] leading-tight">
        <p className="truncate font-semibold">
          {isOwn ? texts.messages.replyingToYourself : texts.messages.replyingTo(otherName)}
        </p>
        <p dir="auto" className="truncate text-quiet">
          {quoted != null && lineOf(quoted)}
        </p>
      </div>
      <IconButton label={texts.messages.cancelReply} size="small" onClick={onCancel} className="text-quiet">
        <X />
      </IconButton>
    </div>
  )
}
