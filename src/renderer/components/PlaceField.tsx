import { MapPin } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useDebounced } from '#/renderer/lib/browser/useDebounced'
import { useTopicSearchQuery } from '#/renderer/lib/content/topic-search'
import { texts } from '#/renderer/lib/texts'
import { QUERY_MAX, TEXT_LIMITS } from '#/shared/limits'
import { searchKey } from '#/shared/search-key'
import { LimitedField } from './LimitedField'
import { Option } from './MemberOption'

interface PlaceFieldProps {
  value: string
  onChange: (value: string) => void
  readOnly: boolean
}

/**
 * The location of a post. Suggests places of posts that the member may see, of which the text begins a word (FEED-22). Enter
 * takes a suggestion only after an arrow key has chosen it.
 */
export function PlaceField({ value, onChange, readOnly }: PlaceFieldProps) {
  const listId = useId()
  const [isTyping, setIsTyping] = useState(false)
  const [active, setActive] = useState(-1)
  const typed = value.trim()
  const query = useDebounced(typed)
  const isOpen = isTyping && typed !== '' && typed.length <= QUERY_MAX
  const search = useTopicSearchQuery(query, isOpen && query.length <= QUERY_MAX)
  // Only for the text that is there now.
  const isCurrent = isOpen && query === typed && !search.isPlaceholderData
  const places = isCurrent
    ? (search.data ?? []).flatMap(({ kind, label }) =>
        kind === 'place' && searchKey(label) !== searchKey(typed) ? [label] : [],
      )
    : []
  const isListed = places.length > 0

  const close = () => {
    setIsTyping(false)
    setActive(-1)
  }
  const choose = (place: string) => {
    onChange(place)
    close()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!isListed || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
    const chosen = places[active]
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && chosen !== undefined) choose(chosen)
    else if (event.key === 'ArrowDown') setActive((active + 1) % places.length)
    else if (event.key === 'ArrowUp') setActive((Math.max(active, 0) + places.length - 1) % places.length)
    else return
    event.preventDefault()
    // A dialog around the field must not close.
    event.stopPropagation()
  }

  return (
    <div className="relative">
      <LimitedField
        label={texts.composer.locationLabel}
        placeholder={texts.composer.locationPlaceholder}
        value={value}
        limit={TEXT_LIMITS.location}
        onChange={(text) => {
          setIsTyping(true)
          setActive(-1)
          onChange(text)
        }}
        onKeyDown={handleKeyDown}
        onBlur={close}
        readOnly={readOnly}
        role="combobox"
        aria-expanded={isListed}
        aria-controls={listId}
        aria-activedescendant={active < 0 || !isListed ? undefined : `${listId}-${active}`}
        aria-autocomplete="list"
        end={<MapPin aria-hidden="true" className="pointer-events-none me-2.5 size-4.5 text-quiet" />}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={texts.search.groups.place}
        hidden={!isListed}
        className="absolute inset-x-0 top-full z-20 mt-1 rounded-md border border-line bg-raised p-1.5 shadow-card"
      >
        {places.map((place, index) => (
          <Option
            key={place}
            id={`${listId}-${index}`}
            isActive={index === active}
            onChoose={() => choose(place)}
            onApproach={() => setActive(index)}
          >
            <MapPin aria-hidden="true" className="size-4 shrink-0 text-quiet" />
            <span dir="auto" className="truncate text-[14px]">
              {place}
            </span>
          </Option>
        ))}
      </div>
    </div>
  )
}
