import { Hash, type LucideIcon, MapPin, Search } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react'
import { MemberOption, Option } from '#/renderer/components/MemberOption'
import { type FoundMember, useMemberSearchQuery } from '#/renderer/lib/content/member-search'
import { type FoundTopic, useTopicSearchQuery } from '#/renderer/lib/content/topic-search'
import type { TopicKind } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'
import { QUERY_MAX } from '#/shared/limits'

interface ComboboxOptions {
  onChoose: (member: FoundMember) => void
  /** If set, the results also contain hashtags and places, below the members. */
  onChooseTopic?: (topic: FoundTopic) => void
  /** If set, Enter searches for what is typed unless an option was chosen by arrow key; the last option does the same. */
  onSearch?: (query: string) => void
  /** Escape was pressed while no list was open. */
  onEscape: () => void
}

const NO_TOPICS: FoundTopic[] = []

/**
 * Finds up to ten members by username or full name: an unstyled combobox after the ARIA authoring practices. Spread
 * `inputProps` on the input, and pass the rest to `MemberOptions`.
 */
export function useMemberCombobox({ onChoose, onChooseTopic, onSearch, onEscape }: ComboboxOptions) {
  /** The option that Enter chooses before an arrow key is pressed; -1 for none. */
  const initial = onSearch === undefined ? 0 : -1
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(initial)
  /** Enter was pressed before the results arrived: choose from them when they do. */
  const [isChoosing, setIsChoosing] = useState(false)
  const listId = useId()
  const query = useDeferredValue(typed.trim())

  const { members, isPlaceholderData, failure } = useMemberSearchQuery(query, isOpen)
  const topicSearch = useTopicSearchQuery(query, isOpen && onChooseTopic !== undefined)
  const topics = topicSearch.data ?? NO_TOPICS
  /** While new results load, the list still shows the previous ones, which Enter must not choose. */
  const isCurrent = !isPlaceholderData && query === typed.trim()
  const shown = isOpen && query !== '' && failure === null ? members : undefined
  const found = shown === undefined ? 0 : shown.length + topics.length
  const count = shown === undefined ? 0 : found + (onSearch === undefined ? 0 : 1)

  const close = () => {
    setIsOpen(false)
    setIsChoosing(false)
    setActive(initial)
  }
  const choose = (member: FoundMember) => {
    setTyped('')
    close()
    onChoose(member)
  }
  const chooseTopic = (topic: FoundTopic) => {
    setTyped('')
    close()
    onChooseTopic?.(topic)
  }
  const search = () => {
    close()
    onSearch?.(typed.trim())
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (shown === undefined) onEscape()
      close()
    } else if (count > 0 && event.key === 'ArrowDown') {
      event.preventDefault()
      setActive((active + 1) % count)
    } else if (count > 0 && event.key === 'ArrowUp') {
      event.preventDefault()
      setActive((Math.max(active, 0) + count - 1) % count)
    } else if (event.key === 'Enter' && typed.trim() !== '') {
      // `query` may be older than what is typed.
      if (onSearch !== undefined && (active < 0 || active === found)) search()
      else setIsChoosing(true)
    }
  }

  const chosen = isChoosing && isCurrent ? members?.[active] : undefined
  const chosenTopic =
    isChoosing && isCurrent && members !== undefined && !topicSearch.isPlaceholderData
      ? topics[active - members.length]
      : undefined
  const handleChosen = useEffectEvent(() => {
    if (chosen !== undefined) choose(chosen)
    else if (chosenTopic !== undefined) chooseTopic(chosenTopic)
  })
  useEffect(() => {
    if (chosen !== undefined || chosenTopic !== undefined) handleChosen()
  }, [chosen, chosenTopic])

  return {
    listId,
    /** The results; undefined while the list is closed. */
    members: shown,
    /** Why there are no results; null if there are some, or may be soon. */
    failure,
    show: (text: string) => {
      setTyped(text)
      close()
    },
    topics,
    /** The last option searches for everything. */
    hasSearch: onSearch !== undefined,
    search,
    hasFoundNothing: found === 0 && !topicSearch.isLoading,
    notFound: onChooseTopic === undefined ? texts.search.nobody : texts.search.nothing,
    active,
    choose,
    chooseTopic,
    setActive,
    inputProps: {
      role: 'combobox',
      maxLength: QUERY_MAX,
      'aria-expanded': shown !== undefined || failure !== null,
      'aria-controls': listId,
      'aria-activedescendant': active >= 0 && active < count ? `${listId}-${active}` : undefined,
      'aria-autocomplete': 'list',
      autoComplete: 'off',
      spellCheck: false,
      value: typed,
      onChange: (event: { target: { value: string } }) => {
        setTyped(event.target.value)
        setIsOpen(true)
        setIsChoosing(false)
        setActive(initial)
      },
      onFocus: () => setIsOpen(true),
      onBlur: close,
      onKeyDown: handleKeyDown,
    },
  } as const
}

interface MemberOptionsProps {
  combobox: Omit<ReturnType<typeof useMemberCombobox>, 'inputProps' | 'show'>
  label: string
  className?: string
}

/** The results of a search: members, below them hashtags and places, and last the search for everything. */
export function MemberOptions({ combobox, label, className = '' }: MemberOptionsProps) {
  const {
    listId,
    members,
    failure,
    topics,
    hasSearch,
    search,
    hasFoundNothing,
    notFound,
    active,
    choose,
    chooseTopic,
    setActive,
  } = combobox
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, active])
  const option = (index: number) => ({
    id: `${listId}-${index}`,
    isActive: index === active,
    onApproach: () => setActive(index),
  })
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={label}
      hidden={members === undefined && failure === null}
      className={className}
    >
      {failure !== null && <p className="px-2.5 py-2 text-quiet">{failure}</p>}
      {members !== undefined && hasFoundNothing && <p className="px-2.5 py-2 text-quiet">{notFound}</p>}
      {members?.map((member, index) => (
        <MemberOption key={member.id} {...option(index)} member={member} onChoose={() => choose(member)} />
      ))}
      {members !== undefined &&
        (['hashtag', 'place'] as const).map((kind) => (
          <TopicGroup key={kind} kind={kind} isShown={topics.some((topic) => topic.kind === kind)}>
            {topics.map(
              (topic, index) =>
                topic.kind === kind && (
                  <Option
                    key={topic.label}
                    {...option(members.length + index)}
                    onChoose={() => chooseTopic(topic)}
                  >
                    <OptionIcon Icon={kind === 'hashtag' ? Hash : MapPin} />
                    <span dir="auto" className="truncate font-semibold text-[14px]">
                      {topic.label}
                    </span>
                  </Option>
                ),
            )}
          </TopicGroup>
        ))}
      {members !== undefined && hasSearch && (
        <Option {...option(members.length + topics.length)} onChoose={search}>
          <OptionIcon Icon={Search} />
          <span className="truncate text-[14px]">{texts.search.all}</span>
        </Option>
      )}
    </div>
  )
}

interface TopicGroupProps {
  kind: TopicKind
  isShown: boolean
  children: ReactNode
}

function TopicGroup({ kind, isShown, children }: TopicGroupProps) {
  const heading = useId()
  if (!isShown) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options with this role.
    <div role="group" aria-labelledby={heading}>
      <p id={heading} className="px-2 pt-2.5 pb-1 font-semibold text-[12px] text-quiet">
        {texts.search.groups[kind]}
      </p>
      {children}
    </div>
  )
}

function OptionIcon({ Icon }: { Icon: LucideIcon }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-8.5 shrink-0 place-items-center rounded-full bg-lifted text-quiet"
    >
      <Icon className="size-4" />
    </span>
  )
}
