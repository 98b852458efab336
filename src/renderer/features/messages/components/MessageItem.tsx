import { RichText } from '#/renderer/components/RichText'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { elapsedTime, fullTime, useNow } from '#/renderer/lib/time'
import { isLargeEmoji, type MessageRow } from '../timeline'

/** One message: one's own on the right, the other's on the left, each with its time (MSG-03). */
export function MessageItem({ row }: { row: MessageRow }) {
  const { id: me } = useMe()
  const { message, isLast, isSeen, delivery } = row
  const isOwn = message.sender_id === me
  return (
    <article
      data-message={message.id}
      data-own={isOwn || undefined}
      className={`group flex flex-col ${isLast ? 'pb-3.5' : 'pb-1'} ${isOwn ? 'items-end' : 'items-start'}`}
    >
      <div className={`flex max-w-full items-end gap-2 ${isOwn ? 'flex-row-reverse' : ''}`}>
        <Bubble row={row} isOwn={isOwn} />
        {!isLast && <Standing row={row} className="shrink-0 pb-1.5" />}
      </div>
      {isLast && <Standing row={row} className="px-1.5 pt-1" />}
      {isSeen && delivery === 'sent' && (
        <p className="px-1.5 text-[11.5px] text-quiet">{texts.messages.seen}</p>
      )}
    </article>
  )
}

function Bubble({ row: { message, delivery }, isOwn }: { row: MessageRow; isOwn: boolean }) {
  if (message.deleted_at !== null) {
    return (
      <p className="rounded-[18px] border border-line px-3.5 py-2 text-[14.5px] text-quiet italic">
        {texts.messages.deleted}
      </p>
    )
  }
  if (isLargeEmoji(message.content))
    return <p className="px-1 text-[40px] leading-tight">{message.content}</p>
  const colours = isOwn ? 'bg-accent text-on-accent [&_a]:text-on-accent [&_a]:underline' : 'bg-sunk'
  return (
    <p
      className={`min-w-0 rounded-[18px] px-3.25 py-2 text-[14.5px] leading-[1.45] ${colours} ${delivery === 'sent' ? '' : 'opacity-65'}`}
    >
      <RichText text={message.content} />
    </p>
  )
}

/** When it was sent, or that it is on its way. */
function Standing({ row: { message, delivery }, className }: { row: MessageRow; className: string }) {
  const now = useNow()
  return (
    <p className={`text-[11.5px] text-quiet leading-tight ${className}`}>
      {delivery === 'sending' ? (
        texts.messages.sending
      ) : (
        <time dateTime={message.created_at} title={fullTime(message.created_at)}>
          {texts.messages.ago(elapsedTime(message.created_at, now))}
        </time>
      )}
    </p>
  )
}
