import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { texts } from '#/renderer/lib/texts'

interface PhotoCarouselProps {
  count: number
  /** Which of them are videos. */
  videos?: readonly boolean[]
  /** Index of the photo that is shown. */
  current: number
  onChange: (index: number) => void
  /** Renders a photo in the nearest positioned element. */
  children: (index: number) => ReactNode
}

/**
 * A row of photos in the nearest positioned element, of which one is visible. Only this one and its neighbours are
 * rendered.
 */
export function PhotoCarousel(props: PhotoCarouselProps) {
  return props.count === 1 ? props.children(0) : <Carousel {...props} />
}

function Carousel({ count, videos = [], current, onChange, children }: PhotoCarouselProps) {
  const label = texts.post.photoOf(current + 1, count, videos)
  const hasVideo = videos.includes(true)
  const { track, goTo, scroller } = useTrack(label, current, onChange)
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (pressArrow(event.currentTarget, event)) event.preventDefault()
  }
  return (
    <section
      aria-roledescription={texts.post.carousel}
      aria-label={texts.post.photos(count, videos)}
      onKeyDown={handleKeyDown}
      className="absolute inset-0"
    >
      <div
        ref={track}
        {...scroller}
        className="-outline-offset-2 flex size-full snap-x snap-mandatory overflow-x-auto overflow-y-hidden scroll-smooth overscroll-x-contain [scrollbar-width:none]"
      >
        {[...Array(count).keys()].map((index) => (
          <div
            key={index}
            inert={index !== current}
            className="relative size-full shrink-0 snap-start snap-always"
          >
            {Math.abs(index - current) <= 1 && children(index)}
          </div>
        ))}
      </div>
      <p aria-live="polite" className="sr-only">
        {label}
      </p>
      <Arrow
        direction="previous"
        label={hasVideo ? texts.post.previousMedium : texts.post.previousPhoto}
        isEnd={current === 0}
        onClick={() => goTo(current - 1)}
        className="start-2.5"
      />
      <Arrow
        direction="next"
        label={hasVideo ? texts.post.nextMedium : texts.post.nextPhoto}
        isEnd={current === count - 1}
        onClick={() => goTo(current + 1)}
        className="end-2.5"
      />
      <Dots count={count} current={current} />
    </section>
  )
}

const ARROW_KEYS: Readonly<Record<string, Direction>> = { ArrowLeft: 'previous', ArrowRight: 'next' }

/**
 * Handles an arrow key for the carousel within an element: shows the next photo in that direction. Returns false if
 * there is none.
 */
export function pressArrow(
  area: Element | null,
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
): boolean {
  const direction = ARROW_KEYS[key]
  if (direction === undefined || altKey || ctrlKey || metaKey || shiftKey) return false
  const button = area?.querySelector<HTMLElement>(`[data-photo="${direction}"]:not([aria-disabled="true"])`)
  button?.click()
  return button != null
}

/** The scrolling row of photos. Keeps its scroll position and the current photo in sync. */
function useTrack(label: string, current: number, onChange: (index: number) => void) {
  const track = useRef<HTMLDivElement>(null)
  /** The photo that a button scrolls to; null while the member scrolls. */
  const target = useRef<number | null>(null)

  const scrollTo = (index: number, behavior: ScrollBehavior) => {
    const row = track.current
    if (row === null) return
    const side = getComputedStyle(row).direction === 'rtl' ? -1 : 1
    row.scrollTo({ left: side * index * row.clientWidth, behavior })
  }
  const shown = () => {
    const row = track.current
    return row === null || row.clientWidth === 0
      ? current
      : Math.round(Math.abs(row.scrollLeft) / row.clientWidth)
  }

  // The card has returned to the list, or another view of the post shows another photo.
  useLayoutEffect(() => {
    if (target.current === null && shown() !== current) scrollTo(current, 'instant')
  })

  const show = (index: number) => {
    if (index === current) return
    // The focused element would become inert with its photo.
    if (track.current?.contains(document.activeElement)) track.current.focus({ preventScroll: true })
    onChange(index)
  }

  return {
    track,
    goTo: (index: number) => {
      target.current = index
      show(index)
      scrollTo(index, 'auto')
    },
    /** Attributes of the row. It takes the focus, so that the arrow keys reach it. */
    scroller: {
      role: 'group',
      'aria-label': label,
      tabIndex: 0,
      onScroll: () => {
        if (target.current === null) show(shown())
      },
      onScrollEnd: () => {
        target.current = null
        show(shown())
      },
    },
  }
}

type Direction = 'previous' | 'next'

interface ArrowProps {
  direction: Direction
  label: string
  /** There is no photo in this direction. The button stays, so that it keeps the focus. */
  isEnd: boolean
  onClick: () => void
  className: string
}

function Arrow({ direction, label, isEnd, onClick, className }: ArrowProps) {
  const Icon = direction === 'previous' ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isEnd}
      data-photo={direction}
      onClick={isEnd ? undefined : onClick}
      className={`absolute top-1/2 z-10 -mt-4 grid size-8 place-items-center rounded-full bg-black/55 text-white transition-opacity duration-150 hover:bg-black/75 aria-disabled:pointer-events-none aria-disabled:opacity-0 aria-disabled:focus-visible:opacity-40 ${className}`}
    >
      <Icon aria-hidden="true" className="size-5 rtl:-scale-x-100" />
    </button>
  )
}

/** The number of photos, and which one is visible. */
function Dots({ count, current }: { count: number; current: number }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 bottom-2.5 z-10 mx-auto flex w-fit gap-1.5 rounded-full bg-black/45 px-2 py-1.5"
    >
      {[...Array(count).keys()].map((index) => (
        <span
          key={index}
          className={`size-1.5 rounded-full transition-colors duration-150 ${index === current ? 'bg-white forced-colors:bg-accent' : 'bg-white/45 forced-colors:border'}`}
        />
      ))}
    </div>
  )
}
