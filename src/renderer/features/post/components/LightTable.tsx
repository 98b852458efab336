import { useQueryClient } from '@tanstack/react-query'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router-dom'
import { Spinner } from '#/renderer/components/Spinner'
import { usePreferences } from '#/renderer/features/desktop'
import { useFocusReturn } from '#/renderer/lib/browser/focus'
import { createShortcutReader } from '#/renderer/lib/browser/shortcuts'
import { useModalRoute } from '#/renderer/lib/navigation/modal-route'
import { texts } from '#/renderer/lib/texts'
import {
  type Direction,
  linkedCommentId,
  listOf,
  openPostId,
  photosAround,
  stepFrom,
  type TablePhoto,
  withPost,
} from '../address'
import { setCardState, shownPhoto, useCardState } from '../card-store'
import { shrinkPhoto } from '../grow-photo'
import { photoCount, useDecodedAhead, useTablePost } from '../table-queries'
import { useTableState } from '../table-store'
import { useFullScreen } from '../useFullScreen'
import { useIdleMark } from '../useIdleMark'
import { useSlideshow } from '../useSlideshow'
import { useZoom } from '../useZoom'
import { videosOf } from './FeedPhotos'
import { Filmstrip } from './Filmstrip'
import { Controls, Step } from './TableControls'
import { TablePanel } from './TablePanel'
import { NotRead, TableStage } from './TableStage'

/** Shows the post that the address names, in the whole window (FEED-20, PROF-10). */
export function LightTable() {
  const { value: id, close } = useModalRoute('post')
  const [{ lightTable: ground }] = usePreferences()
  if (id === null) return null
  const handleClose = () => shrinkPhoto(id, () => flushSync(close))
  const scheme = ground === 'grey' ? 'scheme-light' : 'scheme-dark'
  return (
    <Dialog.Root open onOpenChange={handleClose}>
      <Dialog.Portal>
        {/* Below other dialogs, which open on top of a post. It also keeps the page from scrolling. */}
        <Dialog.Overlay className={`fixed inset-0 z-35 bg-surround ${scheme}`} />
        {/* Not above: the portal renders its children later. */}
        <OpenTable id={id} scheme={scheme} onClose={handleClose} />
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The photo that is shown, those around it in its list, and the way to them. */
function useSequence(id: string, current: number, count: number) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const list = listOf(state) ?? []
  const countOf = (each: string) => (each === id ? count : photoCount(client, each))
  const beside = (direction: Direction) => stepFrom(list, { id, photo: current }, count, direction)
  const goTo = ({ id: to, photo }: TablePhoto) => {
    setCardState(to, { photo })
    const { search } = window.location
    // Replaces the open post, so that Back still leads to the page.
    if (to !== openPostId(search)) void navigate({ search: withPost(search, to) }, { replace: true, state })
  }
  useDecodedAhead(photosAround(list, { id, photo: current }, countOf))
  return {
    previous: beside('previous'),
    next: beside('next'),
    goTo,
    /** Returns false at an end of the list. */
    step: (direction: Direction): boolean => {
      // Read from the address: an earlier press may have changed it before this is rendered again.
      const shown = openPostId(window.location.search) ?? id
      const to = stepFrom(list, { id: shown, photo: shownPhoto(shown) }, countOf(shown), direction)
      if (to !== null) goTo(to)
      return to !== null
    },
  }
}

/** Shortcuts, and the buttons that they press. */
const BUTTONS: Readonly<Record<string, string>> = {
  l: '[data-action="like"]',
  s: '[data-action="save"]',
}

interface OpenTableProps {
  /** From the address: may be any text. */
  id: string
  /** The class of the ground's colour scheme. */
  scheme: string
  onClose: () => void
}

function OpenTable({ id, scheme, onClose }: OpenTableProps) {
  const opened = useTablePost(id)
  const { post, media, known, hasFailed } = opened
  const count = Math.max(1, media?.length ?? 0)
  const videos = videosOf(media ?? [])
  const [{ photo: wanted }] = useCardState(id)
  const current = Math.min(wanted, count - 1)
  const { previous, next, goTo, step } = useSequence(id, current, count)

  const handleCloseAutoFocus = useFocusReturn()
  const [readShortcut] = useState(createShortcutReader)
  const content = useRef<HTMLDivElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  useIdleMark(content)

  const isRightToLeft = () =>
    content.current !== null && getComputedStyle(content.current).direction === 'rtl'
  const stepToward = (side: 'left' | 'right') =>
    step((side === 'right') === isRightToLeft() ? 'previous' : 'next')

  const zoom = useZoom({
    stage,
    name: `${id} ${current}`,
    // A video is not zoomed.
    photo: media?.[current]?.video == null ? (media?.[current] ?? null) : null,
    // In narrow windows the wheel scrolls to the words.
    hasOwnWheel: () => content.current !== null && getComputedStyle(content.current).overflowY === 'hidden',
    // The photo follows the finger: the next one comes from the other side.
    onSwipe: (side) => stepToward(side === 'left' ? 'right' : 'left'),
    onOutside: onClose,
  })
  const show = useSlideshow(content, `${id} ${current} ${zoom.view === null}`, () => step('next'))
  const fullScreen = useFullScreen()

  const isPanelOpen = useTableState((state) => state.isPanelOpen)
  // Without a picture, the stage itself says that there is none.
  const isMissing = post === null || (hasFailed && media === null)
  const hasPanel = isPanelOpen && !isMissing
  const isCommentLinked = linkedCommentId(useLocation().search) !== null
  useEffect(() => {
    if (isCommentLinked) useTableState.setState({ isPanelOpen: true })
  }, [isCommentLinked])
  const setPanelOpen = (isOpen: boolean) => {
    if (!isOpen && foot.current?.parentElement?.contains(document.activeElement)) content.current?.focus()
    useTableState.setState({ isPanelOpen: isOpen })
  }
  const focusField = () => {
    flushSync(() => setPanelOpen(true))
    foot.current?.querySelector<HTMLElement>('[data-comment-field]')?.focus()
  }

  const pressKey = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const name = readShortcut(event.nativeEvent) ?? ''
    if (name.startsWith('Arrow')) {
      if (zoom.pan(name)) return true
      if (event.repeat || !/Left|Right/.test(name)) return false
      stepToward(name === 'ArrowRight' ? 'right' : 'left')
      return true
    }
    if (event.repeat) return false
    const isOnControl = event.target instanceof Element && event.target.closest('a, button') !== null
    switch (name) {
      case '+':
      case '=':
        zoom.step(1)
        return true
      case '-':
        zoom.step(-1)
        return true
      case 'i':
        setPanelOpen(!isPanelOpen)
        return true
      case 'f':
        fullScreen.toggle()
        return true
      case 'c':
        focusField()
        return true
      case ' ':
        if (isOnControl) return false
        show.setPlaying(!show.isPlaying)
        return true
    }
    const button = BUTTONS[name]
    if (button === undefined) return false
    content.current?.querySelector<HTMLElement>(button)?.click()
    return true
  }
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // Menus and dialogs opened from here handle their own keys.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (isHere && !event.defaultPrevented && pressKey(event)) event.preventDefault()
  }
  /** Escape leaves full screen and the zoomed photo before it closes the table. */
  const handleEscape = (event: Event) => {
    if (fullScreen.isOn) fullScreen.toggle()
    else if (zoom.view !== null) zoom.fit()
    else return
    event.preventDefault()
  }

  const username = post?.author.username ?? known?.username
  return (
    <Dialog.Content
      ref={content}
      data-light-table=""
      aria-describedby={undefined}
      onKeyDown={handleKeyDown}
      onEscapeKeyDown={handleEscape}
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        content.current?.focus()
      }}
      onCloseAutoFocus={handleCloseAutoFocus}
      className={`group/table fixed inset-0 bottom-(--banner-height) z-35 bg-surround text-ink outline-none not-table-wide:overflow-y-auto table-wide:flex table-wide:overflow-hidden ${scheme}`}
    >
      <Dialog.Title aria-live="polite" className="sr-only">
        {username === undefined || post === null ? texts.post.one : texts.post.by(username)}
      </Dialog.Title>
      <Controls
        zoom={zoom}
        hasPhoto={media?.[current]?.video === null}
        show={next === null && !show.isPlaying ? null : show}
        fullScreen={fullScreen}
        panel={isMissing ? null : { isOpen: isPanelOpen, setOpen: setPanelOpen }}
      />
      <section
        {...(count > 1 && {
          'aria-roledescription': texts.post.carousel,
          'aria-label': texts.post.photos(count, videos),
        })}
        className={`relative flex flex-col table-wide:h-full table-wide:min-w-0 table-wide:flex-1 ${hasPanel ? '' : 'h-full'}`}
      >
        <div className="relative flex min-h-0 flex-1 flex-col">
          <TableStage {...{ opened, current, zoom, stage, hasPanel }} />
          <Step
            direction="previous"
            to={previous}
            id={id}
            hasVideo={videos.includes(true)}
            onStep={() => step('previous')}
          />
          <Step
            direction="next"
            to={next}
            id={id}
            hasVideo={videos.includes(true)}
            onStep={() => step('next')}
          />
        </div>
        {media !== null && count > 1 && (
          <>
            <p aria-live="polite" className="sr-only">
              {texts.post.photoOf(current + 1, count, videos)}
            </p>
            <Filmstrip media={media} current={current} onChoose={(photo) => goTo({ id, photo })} />
          </>
        )}
      </section>
      {/* Below a photo whose height is not known yet, it would move. */}
      {!isMissing && (
        <article
          {...(username !== undefined && { 'aria-label': texts.post.by(username) })}
          inert={!isPanelOpen}
          className={`flex flex-col bg-raised table-wide:w-90 table-wide:shrink-0 table-wide:border-line table-wide:border-s table-wide:transition-[margin,visibility] table-wide:duration-200 ${isPanelOpen ? '' : 'table-wide:invisible table-wide:-me-90'} ${isPanelOpen && media !== null ? '' : 'not-table-wide:hidden'}`}
        >
          {post == null ? (
            <div className="grid min-h-40 place-items-center p-6 text-center">
              {hasFailed ? (
                <NotRead onRetry={opened.refetch} />
              ) : (
                // While nothing is known, the stage has one.
                media !== null && <Spinner />
              )}
            </div>
          ) : (
            <TablePanel
              key={post.id}
              post={post}
              hasPhotos={media !== null && media.length > 0}
              photo={current}
              foot={foot}
              onComment={focusField}
              onDeleted={onClose}
            />
          )}
        </article>
      )}
    </Dialog.Content>
  )
}
