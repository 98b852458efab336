import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { insertText, keepTypingRuns } from '#/renderer/lib/browser/text-field'
import { type TypedMention, typedMention } from '#/renderer/lib/content/mentions'

const MentionOptions = lazyPart(() => import('./MentionOptions'), 'MentionOptions')

interface MentionAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> {
  value: string
  onText: (text: string) => void
  /** Maximum length, in characters: a far longer pasted text is cut. */
  limit: number
  ref?: RefObject<HTMLTextAreaElement | null> | undefined
}

/** A text area that suggests members while the member types '@name' (NOTE-05). */
export function MentionArea({ value, onText, limit, ref, onKeyDown, onBlur, ...area }: MentionAreaProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const field = ref ?? own
  const [mention, setMention] = useState<TypedMention | null>(null)
  const [activeId, setActiveId] = useState<string | null>(null)
  /** Handles a key of the open list; returns whether it was one. */
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null)

  useLayoutEffect(() => {
    keepTypingRuns(field.current)
    // Put the caret at the end of a stored draft; browsers put it at the start.
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
  }, [field])

  const close = () => setMention(null)
  const choose = (username: string) => {
    if (field.current === null || mention === null) return
    const end = mention.start + 1 + mention.name.length
    insertText(field.current, `@${username} `, mention.start, end)
    close()
  }
  return (
    <>
      <textarea
        ref={field}
        dir="auto"
        value={value}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={activeId === null ? undefined : activeId.replace(/-\d+$/, '')}
        aria-activedescendant={activeId ?? undefined}
        onChange={({ target }) => {
          onText(target.value)
          setMention(typedMention(target.value, target.selectionStart))
        }}
        data-limit={limit}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
          // The caret was moved away from the mention.
          const isAt = mention !== null && selectionStart === mention.start + 1 + mention.name.length
          if (!isAt || selectionEnd !== selectionStart) close()
        }}
        onKeyDown={(event) => {
          if (mention !== null && keys.current?.(event)) return
          onKeyDown?.(event)
        }}
        onBlur={(event) => {
          close()
          onBlur?.(event)
        }}
        {...area}
      />
      {mention !== null && (
        <MentionOptions
          field={field}
          name={mention.name}
          keys={keys}
          onActive={setActiveId}
          onChoose={choose}
          onClose={close}
        />
      )}
    </>
  )
}
