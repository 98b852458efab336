import { Popover } from 'radix-ui'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useState,
} from 'react'
import { useDebounced } from '#/renderer/lib/browser/useDebounced'
import { useMemberSearchQuery } from '#/renderer/lib/content/member-search'
import { texts } from '#/renderer/lib/texts'
import { searchKey } from '#/shared/search-key'
import { MemberOption } from './MemberOption'

const SHOWN = 6

interface MentionOptionsProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** What follows the '@', not empty. */
  name: string
  /** Receives the handler for keys of the field. */
  keys: RefObject<((event: KeyboardEvent) => boolean) | null>
  /** The id of the chosen option changed; null when the list is closed. */
  onActive: (id: string | null) => void
  onChoose: (username: string) => void
  onClose: () => void
}

/** The members that a typed '@name' may mean, in a list at the field, which keeps the focus. */
export function MentionOptions({ field, name, keys, onActive, onChoose, onClose }: MentionOptionsProps) {
  const listId = useId()
  const query = useDebounced(name)
  const { members: found = [] } = useMemberSearchQuery(query, true)
  const [chosen, setChosen] = useState({ name, index: 0 })
  const wanted = searchKey(name)
  // Results of an earlier text that still match stay until the next ones arrive: if the list closed meanwhile, Enter would
  // send the unfinished name.
  const members = found
    .filter(({ username, full_name }) => username.includes(wanted) || searchKey(full_name).includes(wanted))
    .slice(0, SHOWN)
  const index = chosen.name === name ? Math.min(chosen.index, members.length - 1) : 0
  const member = members[index]
  const isOpen = member !== undefined
  const activeId = isOpen ? `${listId}-${index}` : null

  const reportActive = useEffectEvent(onActive)
  useEffect(() => {
    reportActive(activeId)
    return () => reportActive(null)
  }, [activeId])

  useImperativeHandle(keys, () => (event: KeyboardEvent) => {
    if (!isOpen || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' || event.key === 'Tab') onChoose(member.username)
    else if (event.key === 'ArrowDown') setChosen({ name, index: (index + 1) % members.length })
    else if (event.key === 'ArrowUp') {
      setChosen({ name, index: (index + members.length - 1) % members.length })
    } else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  })

  if (!isOpen) return null
  return (
    <Popover.Root open>
      <Popover.Anchor virtualRef={field as RefObject<HTMLTextAreaElement>} />
      <span role="status" className="sr-only">
        {texts.search.suggested(members.length)}
      </span>
      {/* In a landmark, because all content of a page must be in one. */}
      <Popover.Portal container={field.current?.closest<HTMLElement>('[role=dialog], main')}>
        <Popover.Content
          id={listId}
          role="listbox"
          aria-label={texts.search.suggestions}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // The field handles Escape, and closes the list when it loses the focus.
          onEscapeKeyDown={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          className="z-50 w-[min(20rem,calc(100vw-24px))] rounded-md border border-line bg-raised p-1.5 text-ink shadow-card"
        >
          {members.map((each, at) => (
            <MemberOption
              key={each.id}
              id={`${listId}-${at}`}
              member={each}
              isActive={at === index}
              onChoose={() => onChoose(each.username)}
              onApproach={() => setChosen({ name, index: at })}
            />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
