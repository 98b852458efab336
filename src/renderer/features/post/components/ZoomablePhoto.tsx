import { Dialog } from 'radix-ui'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefCallback,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { FullWindow } from '#/renderer/components/FullWindow'
import { FramedPhoto } from '#/renderer/components/PhotoFrame'
import { Picture } from '#/renderer/components/Picture'
import { texts } from '#/renderer/lib/texts'
import { openPhotoSizes, type PostPhoto } from '../model'
import type { Post } from '../queries'
import { AltText, altTextOf } from './FeedPhotos'

/** A point in a picture, as fractions of its width and height. */
interface Point {
  x: number
  y: number
}

const MIDDLE: Point = { x: 0.5, y: 0.5 }

/** The point under the pointer, in a picture that is shown whole in its box. */
function pointIn(image: HTMLImageElement, x: number, y: number): Point {
  const box = image.getBoundingClientRect()
  const scale = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight)
  return {
    x: 0.5 + (x - box.left - box.width / 2) / (image.naturalWidth * scale),
    y: 0.5 + (y - box.top - box.height / 2) / (image.naturalHeight * scale),
  }
}

interface ZoomablePhotoProps {
  post: Post
  photo: PostPhoto
  /** The post has no other photos. */
  isAlone: boolean
}

/** The whole picture in the available space; a click or Enter shows it at full size. */
export function ZoomablePhoto({ post, photo, isAlone }: ZoomablePhotoProps) {
  const [zoomedAt, setZoomedAt] = useState<Point | null>(null)
  const image = useRef<HTMLImageElement>(null)

  const handleZoom = ({ detail, clientX, clientY }: MouseEvent) => {
    // A click by keyboard has no pointer.
    if (detail === 0 || image.current === null) setZoomedAt(MIDDLE)
    else setZoomedAt(pointIn(image.current, clientX, clientY))
  }

  return (
    <FramedPhoto ref={image} photo={photo} alt={altTextOf(post, photo)} sizes={openPhotoSizes(photo)}>
      <Dialog.Root open={zoomedAt !== null} onOpenChange={(isOpen) => !isOpen && setZoomedAt(null)}>
        <Dialog.Trigger
          aria-label={texts.post.zoom}
          title={texts.post.zoom}
          onClick={handleZoom}
          className="absolute inset-0 cursor-zoom-in! -outline-offset-2"
        />
        {zoomedAt !== null && (
          <FullSize post={post} photo={photo} at={zoomedAt} onClose={() => setZoomedAt(null)} />
        )}
      </Dialog.Root>
      <AltText photo={photo} isAlone={isAlone} />
    </FramedPhoto>
  )
}

/** How far an arrow key moves the picture, in pixels. */
const STEP = 80

const MOVES: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

interface FullSizeProps extends Pick<ZoomablePhotoProps, 'post' | 'photo'> {
  /** The point to show in the middle of the window. */
  at: Point
  onClose: () => void
}

function FullSize({ post, photo, at, onClose }: FullSizeProps) {
  const image = useRef<HTMLImageElement>(null)
  const pan = usePan<HTMLDivElement>(onClose)

  const handleLoad = ({ currentTarget: loaded }: SyntheticEvent<HTMLImageElement>) => {
    const area = loaded.parentElement
    area?.scrollTo(
      loaded.offsetWidth * at.x - area.clientWidth / 2,
      loaded.offsetHeight * at.y - area.clientHeight / 2,
    )
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    image.current?.parentElement?.scrollBy(...move)
  }

  return (
    <FullWindow title={texts.post.fullSize} closeLabel={texts.post.zoomOut} onKeyDown={handleKeyDown}>
      <div
        ref={pan}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        tabIndex={0}
        className="-outline-offset-2 flex size-full cursor-zoom-out touch-pan-x touch-pan-y overflow-auto"
      >
        <Picture
          ref={image}
          source={photo.source}
          alt={altTextOf(post, photo)}
          width={photo.width ?? undefined}
          height={photo.height ?? undefined}
          // Not a smaller size, although the picture is shown at its own.
          sizes="10000px"
          fit="contain"
          onLoad={handleLoad}
          className="m-auto max-w-none shrink-0"
        />
      </div>
    </FullWindow>
  )
}

/** A press that moves less than this is a click, in pixels. */
const CLICK_REACH = 5

/** The pointer and the scroll offsets at the start of a drag. */
interface DragStart {
  x: number
  y: number
  left: number
  top: number
}

/** Scrolls an element by dragging with a mouse or pen; touch scrolls natively. Returns the element's ref. */
function usePan<T extends HTMLElement>(onClick: () => void): RefCallback<T> {
  const callback = useRef(onClick)
  useEffect(() => {
    callback.current = onClick
  })
  return useCallback((scroller: T | null) => {
    if (scroller === null) return
    let from: DragStart | null = null
    let hasMoved = false
    const handleDown = ({ button, clientX: x, clientY: y }: PointerEvent) => {
      hasMoved = false
      from = button === 0 ? { x, y, left: scroller.scrollLeft, top: scroller.scrollTop } : null
    }
    const handleMove = ({ clientX, clientY, pointerId, pointerType }: PointerEvent) => {
      if (from === null || pointerType === 'touch') return
      const [x, y] = [clientX - from.x, clientY - from.y]
      if (!hasMoved && Math.hypot(x, y) < CLICK_REACH) return
      if (!hasMoved) scroller.setPointerCapture(pointerId)
      hasMoved = true
      scroller.scrollTo(from.left - x, from.top - y)
    }
    const handleEnd = () => {
      from = null
    }
    const handleClick = () => {
      if (!hasMoved) callback.current()
    }
    const listening = new AbortController()
    const { signal } = listening
    scroller.addEventListener('pointerdown', handleDown, { signal })
    scroller.addEventListener('pointermove', handleMove, { signal })
    scroller.addEventListener('pointerup', handleEnd, { signal })
    scroller.addEventListener('pointercancel', handleEnd, { signal })
    scroller.addEventListener('click', handleClick, { signal })
    return () => listening.abort()
  }, [])
}
