import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { STALE } from '#/renderer/lib/query-client'
import { answer, supabase } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'

const INPUT_ID = 'search'

/** Puts the cursor into the header's search box. */
export function focusSearch(): void {
  document.getElementById(INPUT_ID)?.focus()
}

/** Finds members by username or full name, at most ten; a combobox by the ARIA authoring practices. */
export function SearchBox() {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  /** Enter was pressed; it holds for the answer to what is typed. */
  const [isChoosing, setIsChoosing] = useState(false)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const query = useDeferredValue(typed.trim())

  const { data: members, isPlaceholderData } = useQuery({
    queryKey: ['search', query.toLowerCase()],
    queryFn: ({ signal }) => answer(supabase().rpc('search_profiles', { query }).abortSignal(signal)),
    enabled: query !== '' && isOpen,
    staleTime: STALE.short,
    placeholderData: (previous) => previous,
  })
  /** While a new answer is on its way the list still shows the last one, which Enter must not choose from. */
  const isCurrent = !isPlaceholderData && query === typed.trim()
  const isListShown = isOpen && query !== '' && members !== undefined
  const close = () => {
    setIsOpen(false)
    setIsChoosing(false)
    setActive(0)
  }
  const choose = useCallback(
    (username: string) => {
      setTyped('')
      setIsOpen(false)
      setIsChoosing(false)
      setActive(0)
      input.current?.blur()
      navigate(`/profile/${username}`)
    },
    [navigate],
  )

  const handleKeyDown = (event: KeyboardEvent) => {
    const count = members?.length ?? 0
    if (event.key === 'Escape') {
      if (!isListShown) input.current?.blur()
      close()
    } else if (isListShown && count > 0 && event.key === 'ArrowDown') {
      event.preventDefault()
      setActive((active + 1) % count)
    } else if (isListShown && count > 0 && event.key === 'ArrowUp') {
      event.preventDefault()
      setActive((active + count - 1) % count)
    } else if (event.key === 'Enter' && query !== '') {
      setIsChoosing(true)
    }
  }

  const chosen = isChoosing && isCurrent ? members?.[active]?.username : undefined
  useEffect(() => {
    if (chosen !== undefined) choose(chosen)
  }, [chosen, choose])

  return (
    <search className="relative mx-auto h-9 w-full min-w-9 max-w-70 flex-1 text-[14px] focus-within:max-sm:absolute focus-within:max-sm:inset-x-3 focus-within:max-sm:z-10 focus-within:max-sm:w-auto focus-within:max-sm:max-w-none">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute start-2.5 top-2.5 size-4 text-quiet sm:start-3"
      />
      <input
        ref={input}
        id={INPUT_ID}
        role="combobox"
        aria-label={texts.search.label}
        aria-expanded={isListShown}
        aria-controls={listId}
        aria-activedescendant={isListShown && members.length > 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        placeholder={texts.search.placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setIsOpen(true)
          setIsChoosing(false)
          setActive(0)
        }}
        onFocus={() => setIsOpen(true)}
        onBlur={close}
        onKeyDown={handleKeyDown}
        autoComplete="off"
        spellCheck={false}
        className="size-full rounded-md bg-sunk ps-9 pe-3 max-sm:[&:not(:focus)]:px-0 max-sm:[&:not(:focus)]:text-transparent max-sm:[&:not(:focus)]:placeholder:text-transparent"
      />
      {typed === '' && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute end-2.5 top-2 rounded-sm border border-line bg-raised px-1.5 font-medium font-sans text-[11px] text-quiet max-sm:hidden"
        >
          /
        </span>
      )}
      <div
        id={listId}
        role="listbox"
        aria-label={texts.search.label}
        hidden={!isListShown}
        className="absolute inset-x-0 top-11 animate-appear rounded-md border border-line bg-raised p-1.5 shadow-card"
      >
        {members?.length === 0 && <p className="px-2.5 py-2 text-quiet">{texts.search.nobody}</p>}
        {members?.map((member, index) => (
          <div
            key={member.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Before the input's blur, which would close the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(member.username)}
            onKeyDown={undefined}
            onMouseMove={() => setActive(index)}
            className="flex items-center gap-2.5 rounded-sm px-2 py-1.5 aria-selected:bg-sunk"
          >
            <Avatar username={member.username} src={member.avatar_url} size={34} />
            <span className="min-w-0 leading-tight">
              <span className="block truncate font-semibold">{member.username}</span>
              <span className="block truncate text-[12.5px] text-quiet">{member.full_name}</span>
            </span>
          </div>
        ))}
      </div>
    </search>
  )
}
