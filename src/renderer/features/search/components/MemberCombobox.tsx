import { type KeyboardEvent, useDeferredValue, useEffect, useEffectEvent, useId, useState } from 'react'
import { MemberOption } from '#/renderer/components/MemberOption'
import { type FoundMember, useMemberSearchQuery } from '#/renderer/lib/member-search'
import { texts } from '#/renderer/lib/texts'

interface ComboboxOptions {
  onChoose: (member: FoundMember) => void
  /** Escape was pressed while no list was open. */
  onEscape: () => void
}

/**
 * Finds up to ten members by username or full name: an unstyled combobox after the ARIA authoring practices. Spread
 * `inputProps` on the input, and pass the rest to `MemberOptions`.
 */
export function useMemberCombobox({ onChoose, onEscape }: ComboboxOptions) {
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  /** Enter was pressed before the results arrived: choose from them when they do. */
  const [isChoosing, setIsChoosing] = useState(false)
  const listId = useId()
  const query = useDeferredValue(typed.trim())

  const { data: members, isPlaceholderData } = useMemberSearchQuery(query, isOpen)
  /** While new results load, the list still shows the previous ones, which Enter must not choose. */
  const isCurrent = !isPlaceholderData && query === typed.trim()
  const shown = isOpen && query !== '' ? members : undefined

  const close = () => {
    setIsOpen(false)
    setIsChoosing(false)
    setActive(0)
  }
  const choose = (member: FoundMember) => {
    setTyped('')
    close()
    onChoose(member)
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    const count = shown?.length ?? 0
    if (event.key === 'Escape') {
      if (shown === undefined) onEscape()
      close()
    } else if (count > 0 && event.key === 'ArrowDown') {
      event.preventDefault()
      setActive((active + 1) % count)
    } else if (count > 0 && event.key === 'ArrowUp') {
      event.preventDefault()
      setActive((active + count - 1) % count)
    } else if (event.key === 'Enter' && query !== '') {
      setIsChoosing(true)
    }
  }

  const chosen = isChoosing && isCurrent ? members?.[active] : undefined
  const handleChosen = useEffectEvent(choose)
  useEffect(() => {
    if (chosen !== undefined) handleChosen(chosen)
  }, [chosen])

  const isListed = shown !== undefined && shown.length > 0
  return {
    listId,
    /** The results; undefined while the list is closed. */
    members: shown,
    active,
    choose,
    setActive,
    inputProps: {
      role: 'combobox',
      'aria-expanded': shown !== undefined,
      'aria-controls': listId,
      'aria-activedescendant': isListed ? `${listId}-${active}` : undefined,
      'aria-autocomplete': 'list',
      autoComplete: 'off',
      spellCheck: false,
      value: typed,
      onChange: (event: { target: { value: string } }) => {
        setTyped(event.target.value)
        setIsOpen(true)
        setIsChoosing(false)
        setActive(0)
      },
      onFocus: () => setIsOpen(true),
      onBlur: close,
      onKeyDown: handleKeyDown,
    },
  } as const
}

interface MemberOptionsProps {
  combobox: Pick<
    ReturnType<typeof useMemberCombobox>,
    'listId' | 'members' | 'active' | 'choose' | 'setActive'
  >
  label: string
  className?: string
}

/** The results of a member search. */
export function MemberOptions({ combobox, label, className = '' }: MemberOptionsProps) {
  const { listId, members, active, choose, setActive } = combobox
  return (
    <div id={listId} role="listbox" aria-label={label} hidden={members === undefined} className={className}>
      {members?.length === 0 && <p className="px-2.5 py-2 text-quiet">{texts.search.nobody}</p>}
      {members?.map((member, index) => (
        <MemberOption
          key={member.id}
          id={`${listId}-${index}`}
          member={member}
          isActive={index === active}
          onChoose={() => choose(member)}
          onApproach={() => setActive(index)}
        />
      ))}
    </div>
  )
}
