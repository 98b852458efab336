import { dayName } from '#/renderer/lib/content/time'
import { useNow } from '#/renderer/lib/core/clock-store'
import { texts } from '#/renderer/lib/texts'
import { type Conversation, isRequest } from '../model/conversation'
import type { TimelineRow } from '../model/timeline'
import type { MessageActions } from './MessageItem'
import { MessageItem } from './MessageItem'

interface TimelineItemProps {
  row: TimelineRow
  conversation: Conversation
  otherName: string
  actions: MessageActions
  isTabStop: boolean
}

export function TimelineItem({ row, conversation, otherName, actions, isTabStop }: TimelineItemProps) {
  switch (row.kind) {
    case 'beginning':
      return (
        <p className="pt-2 pb-3 text-center text-[13px] text-quiet">
          {conversation.kind === 'pair'
            ? texts.messages.beginning(otherName)
            : !isRequest(conversation) && texts.messages.groupBeginning}
        </p>
      )
    case 'day':
      return <Day at={row.at} />
    case 'divider':
      return <Line className="text-accent">{texts.messages.newMessages(row.count, row.isMore)}</Line>
    case 'message':
      return (
        <MessageItem
          row={row}
          conversation={conversation}
          otherName={otherName}
          actions={actions}
          isTabStop={isTabStop}
        />
      )
    case 'typing':
      return <Typing />
  }
}

function Day({ at }: { at: string }) {
  const now = useNow()
  return <Line className="text-quiet">{dayName(at, now)}</Line>
}

/** A horizontal line with a label. */
function Line({ className, children }: { className: string; children: string }) {
  return (
    <p className={`flex items-center gap-3 py-2.5 text-[12px] ${className}`}>
      <span className="h-px flex-1 bg-line" />
      {children}
      <span className="h-px flex-1 bg-line" />
    </p>
  )
}

/** Three dots in place of the next message; MessageAnnouncer announces it to screen readers. */
function Typing() {
  return (
    <div aria-hidden="true" className="pb-3.5">
      <p className="flex h-9 w-fit items-center gap-1 rounded-[18px] bg-lifted px-3.5">
        {['', '[animation-delay:200ms]', '[animation-delay:400ms]'].map((delay) => (
          <span key={delay} className={`size-1.75 animate-breathe rounded-full bg-quiet ${delay}`} />
        ))}
      </p>
    </div>
  )
}
