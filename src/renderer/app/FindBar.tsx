import { ChevronDown, ChevronUp, X } from 'lucide-react'
import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '#/renderer/components/IconButton'
import { desktop } from '#/renderer/features/desktop'
import { isLooking } from '#/renderer/lib/browser/visibility'
import { texts } from '#/renderer/lib/texts'
import type { FoundInPage } from '#/shared/bridge'
import { FIND_MAX } from '#/shared/limits'
import { findKey, searchPage, stopSearch } from './find-in-page'

/** How long the member pauses before the text is searched: each search takes the focus for a moment. */
const PAUSE_MS = 120

const COVERS = '[role=dialog],[role=alertdialog]'

interface FindBarProps {
  /** The text of the last search. */
  text: string
  /** How often the member has asked for it: each time the field takes the focus, with its text selected. */
  times: number
  onText: (text: string) => void
  onClose: () => void
}

/**
 * Finds a text in the page with Chromium's own search, which marks all matches. Must be the first field of the document: see
 * `searchPage`. While it is open, `data-find-field` holds its field.
 */
export function FindBar({ text, times, onText, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const focus = useFieldFocus(field)
  const [found, setFound] = useState<(FoundInPage & { text: string }) | null>(null)
  const [isSearching, setIsSearching] = useState(false)
  /** The text that is marked in the page. */
  const marked = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = useRef<'clearSelection' | 'keepSelection'>('clearSelection')
  const [opener] = useState(() => document.activeElement)

  const finish = () => {
    focus.takeBack()
    setIsSearching(false)
  }

  const search = async (isForward: boolean) => {
    clearTimeout(timer.current)
    const wanted = field.current?.value ?? ''
    const isNew = marked.current !== wanted
    marked.current = wanted
    if (wanted === '') {
      stopSearch(desktop.find, 'clearSelection')
      setFound(null)
      finish()
      return
    }
    // The result is text of the page too: Chromium would find the '1' of '1 of 3'.
    flushSync(() => setIsSearching(true))
    const find: typeof desktop.find.search = (...args) => {
      focus.giveUp()
      return desktop.find.search(...args)
    }
    const result = await searchPage(find, wanted, { isForward, isNew })
    // Another search runs.
    if (result === null) return
    if (result === 'failed') marked.current = null
    else setFound({ ...result, text: wanted })
    finish()
  }

  const close = () => {
    clearTimeout(timer.current)
    if (found !== null && found.active > 0) end.current = 'keepSelection'
    flushSync(onClose)
    if (end.current === 'clearSelection' && opener instanceof HTMLElement)
      opener.focus({ preventScroll: true })
  }

  const handleText = ({ nativeEvent }: FormEvent<HTMLInputElement>) => {
    onText(field.current?.value ?? '')
    clearTimeout(timer.current)
    // Taking the focus would end the composition.
    if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) return
    timer.current = setTimeout(() => void search(true), PAUSE_MS)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') close()
    else void search(!event.shiftKey)
  }

  const handleFindKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const direction = findKey(event, navigator.userAgent.includes('Mac'))
    if (direction === null) return
    event.preventDefault()
    void search(direction === 'next')
  })
  const handleFocus = useEffectEvent(({ target }: globalThis.FocusEvent) => {
    // A dialog keeps the focus inside.
    if (target instanceof Element && target.closest(COVERS) !== null) onClose()
  })
  useEffect(() => {
    const handleKeyDown = (event: globalThis.KeyboardEvent) => handleFindKey(event)
    const handleFocusIn = (event: globalThis.FocusEvent) => handleFocus(event)
    window.addEventListener('keydown', handleKeyDown)
    document.addEventListener('focusin', handleFocusIn)
    return () => {
      window.removeEventListener('keydown', handleKeyDown)
      document.removeEventListener('focusin', handleFocusIn)
    }
  }, [])
  // Before the next key arrives.
  useLayoutEffect(() => {
    if (times === 0) return
    field.current?.focus({ preventScroll: true })
    field.current?.select()
  }, [times])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      // Chromium selects the match only if nothing else is selected.
      if (end.current === 'keepSelection') document.getSelection()?.removeAllRanges()
      stopSearch(desktop.find, end.current)
    },
    [],
  )

  const result = found?.text === text ? resultText(found) : ''
  return (
    <search
      aria-label={texts.find.label}
      className="fixed end-4 top-[calc(var(--bar-height)+7px)] z-40 flex animate-appear items-center gap-1 rounded-md border border-line bg-raised p-1.5 shadow-card"
    >
      <input
        ref={field}
        data-find-field
        aria-label={texts.find.field}
        placeholder={texts.find.field}
        value={text}
        maxLength={FIND_MAX}
        spellCheck={false}
        autoComplete="off"
        onChange={handleText}
        onCompositionEnd={handleText}
        onKeyDown={handleKey}
        onBlur={focus.handleBlur}
        className="h-8 w-52 rounded-sm bg-sunk px-2.5 text-[14px] outline-ink outline-offset-0"
      />
      {/* Chromium does not search what is inert. */}
      <span inert className="min-w-18 px-1 text-center text-[12.5px] text-quiet tabular-nums">
        {result}
      </span>
      <span role="status" className="sr-only">
        {isSearching ? '' : result}
      </span>
      <IconButton label={texts.find.previous} size="small" onClick={() => void search(false)}>
        <ChevronUp />
      </IconButton>
      <IconButton label={texts.find.next} size="small" onClick={() => void search(true)}>
        <ChevronDown />
      </IconButton>
      <IconButton label={texts.find.close} size="small" onClick={close}>
        <X />
      </IconButton>
    </search>
  )
}

function resultText({ active, matches }: FoundInPage): string {
  return matches === 0 ? texts.find.none : texts.find.found(active, matches)
}

/**
 * Keeps the focus of the field. A search of Chromium starts at the selection, so the field's caret must not be one, and then it takes
 * the focus from every element (text_finder.cc). The field takes both back at once: the member goes on typing.
 */
function useFieldFocus(field: RefObject<HTMLInputElement | null>) {
  /** `given up`: Chromium has not looked for the selection yet. */
  const state = useRef<'own' | 'given up' | 'lost'>('own')

  useEffect(() => {
    // Chromium gives a field its caret back with each key event, and the release of Enter comes before the search.
    const handleKeyUp = () => {
      if (state.current === 'given up') document.getSelection()?.removeAllRanges()
    }
    window.addEventListener('keyup', handleKeyUp, { capture: true })
    return () => window.removeEventListener('keyup', handleKeyUp, { capture: true })
  }, [])

  const focus = () => field.current?.focus({ preventScroll: true })
  return {
    /** Call before each search. */
    giveUp: () => {
      if (document.activeElement !== field.current) return
      state.current = 'given up'
      document.getSelection()?.removeAllRanges()
    },
    handleBlur: ({ relatedTarget }: FocusEvent) => {
      // Not when the member goes to another element or window.
      if (state.current === 'own' || relatedTarget !== null || !isLooking()) return
      state.current = 'lost'
      // The caret returns to where it was.
      focus()
    },
    /** Call after the last search. */
    takeBack: () => {
      const isLost = state.current !== 'own'
      state.current = 'own'
      if (!isLost) return
      if (document.activeElement === document.body) focus()
      else if (document.activeElement === field.current && document.getSelection()?.rangeCount === 0) {
        // Nothing was found, so the field was not left.
        field.current?.blur()
        focus()
      }
    },
  }
}
