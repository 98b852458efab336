import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { lineOf } from '../preview'
import { useQuotedQuery } from '../related'

interface QuoteProps {
  conversationId: string
  /** The message that is quoted. */
  id: string
  otherName: string
  onShow: () => void
}

/** The message that another one answers, in a line; a click leads to it. */
export function Quote({ conversationId, id, otherName, onShow }: QuoteProps) {
  const { id: me } = useMe()
  const quoted = useQuotedQuery(conversationId, id)
  return (
    <button
      type="button"
      title={texts.messages.repliedTo}
      onClick={onShow}
      className="flex min-h-9 max-w-full items-center gap-2 rounded-e-md border-edge border-s-2 bg-paper py-1 ps-2.5 pe-3 text-start text-[13px] hover:bg-sunk"
    >
      {quoted?.thumbnail_url != null && (
        <img src={quoted.thumbnail_url} alt="" className="size-8 shrink-0 rounded-sm object-cover" />
      )}
      <span className="min-w-0 leading-tight">
        <span className="block truncate font-semibold">
          {quoted != null && (quoted.sender_id === me ? texts.messages.you : otherName)}
        </span>
        <span dir="auto" className="line-clamp-2 text-quiet [overflow-wrap:anywhere]">
          {quoted === null ? texts.messages.deleted : quoted === undefined ? '…' : lineOf(quoted)}
        </span>
      </span>
    </button>
  )
}
