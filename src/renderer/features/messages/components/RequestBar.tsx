import { Button } from '#/renderer/components/Button'
import { openSafetyDialog } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Conversation, Correspondent } from '../model/conversation'
import { useConversationActions } from './ConversationMenu'

interface RequestBarProps {
  conversation: Conversation
  /** The stranger who has written. */
  sender: Correspondent
}

const BUTTON_CLASS = 'h-9! px-3.5! text-[14px]!'

/** The actions for messages of a stranger, above the field: an answer accepts the request (MSG-13). */
export function RequestBar({ conversation, sender }: RequestBarProps) {
  const { choose, isBusy, element } = useConversationActions()
  return (
    <section
      aria-label={texts.messages.request}
      className="shrink-0 border-line border-t px-4.5 pt-4 pb-3 text-center"
    >
      <p className="text-balance text-[14px]">
        <span className="wrap-anywhere font-semibold">{sender.username}</span> {texts.messages.requestTitle}
      </p>
      <p className="mt-1 text-balance text-[13px] text-quiet">{texts.messages.requestBody}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <Button
          variant="danger"
          className={BUTTON_CLASS}
          onClick={() => openSafetyDialog({ kind: 'block', member: sender })}
        >
          {texts.safety.block}
        </Button>
        <Button className={BUTTON_CLASS} onClick={() => choose(conversation, 'delete')} disabled={isBusy}>
          {texts.messages.deleteConversation}
        </Button>
        <Button
          variant="primary"
          className={BUTTON_CLASS}
          onClick={() => choose(conversation, 'accept')}
          disabled={isBusy}
        >
          {texts.messages.accept}
        </Button>
      </div>
      {element}
    </section>
  )
}
