import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { exploreRoute, hashtagPath, placePath, searchPath } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'
import { MemberOptions, useMemberCombobox } from './MemberCombobox'

const INPUT_ID = 'search'

/** The field without its box, as large as its icon, in narrow windows and in the narrow rail. */
const AS_ICON =
  'max-sm:not-focus:px-0 max-sm:not-focus:indent-200 rail-icons:not-focus:bg-transparent rail-icons:not-focus:px-0 rail-icons:not-focus:indent-200 rail-icons:not-focus:hover:bg-sunk'
/** The focused field opens beside the narrow rail, whose links stay free. */
const BESIDE_RAIL =
  'rail-icons:focus:absolute rail-icons:focus:start-[calc(100%+1.25rem)] rail-icons:focus:w-80 rail-icons:focus:bg-raised rail-icons:focus:ps-3 rail-icons:focus:shadow-card'

/** Focuses the header's search box. */
export function focusSearch(): void {
  document.getElementById(INPUT_ID)?.focus()
}

/** The header's search: suggests members, hashtags and places; Enter shows all results (NAV-03, FEED-16, FEED-22). */
export function SearchBox() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const combobox = useMemberCombobox({
    onChoose: ({ username }) => {
      input.current?.blur()
      navigate(`/profile/${username}`)
    },
    onChooseTopic: ({ kind, label }) => {
      input.current?.blur()
      navigate(kind === 'hashtag' ? hashtagPath(label) : placePath(label))
    },
    onSearch: (query) => {
      input.current?.blur()
      navigate(searchPath(query))
    },
    onEscape: () => input.current?.blur(),
  })
  const { pathname, search } = useLocation()
  const show = useEffectEvent((text: string) => combobox.show(text))
  // A search belongs to the page on which it was typed, and to that of its results.
  useEffect(() => {
    const route = pathname === '/' ? exploreRoute(search) : null
    show(route?.page === 'search' ? route.name : '')
  }, [pathname, search])

  return (
    <search
      title={texts.search.label}
      className="group relative mx-auto h-9 w-full min-w-9 max-w-70 flex-1 text-[14px] focus-within:max-sm:absolute focus-within:max-sm:inset-x-3 focus-within:max-sm:z-10 focus-within:max-sm:w-auto focus-within:max-sm:max-w-none rail:mx-0 rail:max-w-none rail:flex-none rail-icons:h-11 rail-icons:max-h-(--rail-item) rail-icons:rounded-md rail-icons:focus-within:bg-sunk spacious:my-1"
    >
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute start-2.5 top-2.5 size-4 text-quiet sm:start-3 rail-icons:inset-0 rail-icons:z-10 rail-icons:m-auto rail-icons:size-5.5 rail-icons:stroke-[1.75] rail-icons:text-ink"
      />
      <input
        {...combobox.inputProps}
        ref={input}
        id={INPUT_ID}
        aria-label={texts.search.label}
        placeholder={texts.search.placeholder}
        className={`size-full rounded-md bg-sunk outline-ink outline-offset-0 ps-9 pe-3 ${AS_ICON} ${BESIDE_RAIL}`}
      />
      {combobox.inputProps.value === '' && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute end-2.5 top-2 rounded-sm border border-line bg-raised px-1.5 font-medium font-sans text-[11px] text-quiet max-sm:hidden rail-icons:hidden"
        >
          /
        </span>
      )}
      <MemberOptions
        combobox={combobox}
        label={texts.search.label}
        className="absolute inset-x-0 top-11 rail:start-[calc(100%+1.25rem)] rail:end-auto rail:top-0 rail:w-80 rail-icons:top-13 max-h-[calc(100dvh-4.5rem)] animate-appear overflow-y-auto rounded-md border border-line bg-raised p-1.5 shadow-card"
      />
    </search>
  )
}
