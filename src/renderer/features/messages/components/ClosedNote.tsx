import { useEffect, useId, useRef } from 'react'
import { Button } from '#/renderer/components/Button'
import { UnblockButton } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Conversation } from '../conversation'
import { copyText } from '../copy-text'
import { setDraft, useDraft } from '../drafts'
import { useOther } from '../useOther'

/** In place of the field: why nobody can write any more, and what was begun before. */
export function ClosedNote({ conversation }: { conversation: Conversation }) {
  const { name, blocked } = useOther(conversation)
  const draft = useDraft(conversation.id).trim()
  const why = blocked === null ? texts.messages.closed : texts.messages.blocked(name)
  return (
    <div className="border-line border-t px-4.5 py-5 text-center text-[14px] text-quiet">
      <p role="status">{conversation.isGone ? texts.messages.gone : why}</p>
      {blocked !== null && (
        <div className="mt-3">
          <UnblockButton member={blocked} />
        </div>
      )}
      {draft !== '' && <UnsentDraft draft={draft} onDiscard={() => setDraft(conversation.id, '')} />}
    </div>
  )
}

const BUTTON_CLASS = 'h-8! px-3! text-[13.5px]!'

interface UnsentDraftProps {
  draft: string
  onDiscard: () => void
}

/** A text that was begun before, to be copied: it is not lost because it cannot be sent. */
function UnsentDraft({ draft, onDiscard }: UnsentDraftProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  // Who is still typing as the field goes means neither the page nor its shortcuts.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <label htmlFor={id} className="mt-3 block text-[12.5px]">
        {texts.messages.unsentDraft}
      </label>
      <textarea
        ref={field}
        id={id}
        readOnly
        dir="auto"
        value={draft}
        className="field-sizing-content wrap-anywhere mt-1.5 max-h-32 w-full resize-none rounded-md bg-sunk px-3 py-2 text-[14.5px] text-ink"
      />
      <div className="mt-2 flex justify-center gap-1.5">
        <Button onClick={() => copyText(draft)} className={BUTTON_CLASS}>
          {texts.messages.copy}
        </Button>
        <Button variant="quiet" onClick={onDiscard} className={BUTTON_CLASS}>
          {texts.messages.discard}
        </Button>
      </div>
    </>
  )
}
