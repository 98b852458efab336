import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { MemberOptions, useMemberCombobox } from '#/renderer/features/search'
import { texts } from '#/renderer/lib/texts'
import { useStartConversation } from '../useStartConversation'

interface NewConversationProps {
  onClose: () => void
}

/** Finds somebody to write to; the conversation with them opens, and the search closes (MSG-02). */
export function NewConversation({ onClose }: NewConversationProps) {
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useStartConversation()
  const combobox = useMemberCombobox({
    onChoose: ({ id }) => mutate(id, { onSuccess: onClose }),
    onEscape: onClose,
  })
  useEffect(() => input.current?.focus(), [])
  return (
    <search className="relative z-10 mx-4.5 mb-3 block shrink-0 text-[14px]">
      <Search aria-hidden="true" className="pointer-events-none absolute start-3 top-2.5 size-4 text-quiet" />
      <input
        {...combobox.inputProps}
        ref={input}
        aria-label={texts.messages.searchPlaceholder}
        placeholder={texts.messages.searchPlaceholder}
        readOnly={isPending}
        className="h-9 w-full rounded-md bg-sunk outline-ink outline-offset-0 ps-9 pe-3"
      />
      <MemberOptions
        combobox={combobox}
        label={texts.messages.searchPlaceholder}
        className="absolute inset-x-0 top-11 animate-appear rounded-md border border-line bg-raised p-1.5 shadow-card"
      />
    </search>
  )
}
