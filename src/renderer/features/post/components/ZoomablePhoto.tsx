import { Dialog } from 'radix-ui'
import { type KeyboardEvent, type MouseEvent, type SyntheticEvent, useRef, useState } from 'react'
import { FullWindow } from '#/renderer/components/FullWindow'
import { texts } from '#/renderer/lib/texts'
import type { Post } from '../queries'
import { usePan } from '../usePan'
import { AltText } from './AltText'
import { PostImage } from './PostImage'

/** A place in a picture, as parts of its width and height. */
interface Place {
  x: number
  y: number
}

const MIDDLE: Place = { x: 0.5, y: 0.5 }

/** The place under the pointer in a picture that is shown whole within its box. */
function placeIn(image: HTMLImageElement, x: number, y: number): Place {
  const box = image.getBoundingClientRect()
  const scale = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight)
  return {
    x: 0.5 + (x - box.left - box.width / 2) / (image.naturalWidth * scale),
    y: 0.5 + (y - box.top - box.height / 2) / (image.naturalHeight * scale),
  }
}

/** Where the lower corner of a picture is that is shown whole, and no larger than it is, in the middle of its box. */
function lowerCorner({ image_width: width, image_height: height }: Post) {
  if (width === null || height === null) return {}
  return {
    start: `max(0px, 50cqw - 50cqh * ${width / height}, 50cqw - ${width / 2}px)`,
    bottom: `max(0px, 50cqh - 50cqw * ${height / width}, 50cqh - ${height / 2}px)`,
  }
}

interface ZoomablePhotoProps {
  post: Post
  /** The full picture, or its thumbnail until that is there. */
  picture: string
}

/** The whole picture in the space there is; a click or Enter shows it at full size. */
export function ZoomablePhoto({ post, picture }: ZoomablePhotoProps) {
  const [zoomedAt, setZoomedAt] = useState<Place | null>(null)
  const photo = useRef<HTMLImageElement>(null)

  const handleZoom = ({ detail, clientX, clientY }: MouseEvent) => {
    // A click by key has no place.
    if (detail === 0 || photo.current === null) setZoomedAt(MIDDLE)
    else setZoomedAt(placeIn(photo.current, clientX, clientY))
  }

  return (
    <div className="@container-size absolute inset-0">
      <PostImage
        ref={photo}
        post={post}
        src={picture}
        decoding="async"
        className="absolute inset-0 m-auto max-h-full max-w-full object-contain"
      />
      <Dialog.Root open={zoomedAt !== null} onOpenChange={(isOpen) => !isOpen && setZoomedAt(null)}>
        <Dialog.Trigger
          aria-label={texts.post.zoom}
          title={texts.post.zoom}
          onClick={handleZoom}
          className="absolute inset-0 cursor-zoom-in! -outline-offset-2"
        />
        {zoomedAt !== null && (
          <FullSize post={post} picture={picture} at={zoomedAt} onClose={() => setZoomedAt(null)} />
        )}
      </Dialog.Root>
      {post.alt_text !== null && <AltText text={post.alt_text} {...lowerCorner(post)} />}
    </div>
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

interface FullSizeProps extends ZoomablePhotoProps {
  /** What comes to the middle of the window. */
  at: Place
  onClose: () => void
}

function FullSize({ post, picture, at, onClose }: FullSizeProps) {
  const photo = useRef<HTMLImageElement>(null)
  const pan = usePan<HTMLDivElement>(onClose)

  const handleLoad = ({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) => {
    const area = image.parentElement
    area?.scrollTo(
      image.offsetWidth * at.x - area.clientWidth / 2,
      image.offsetHeight * at.y - area.clientHeight / 2,
    )
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    photo.current?.parentElement?.scrollBy(...move)
  }

  return (
    <FullWindow title={texts.post.fullSize} closeLabel={texts.post.zoomOut} onKeyDown={handleKeyDown}>
      <div ref={pan} className="flex size-full cursor-zoom-out touch-pan-x touch-pan-y overflow-auto">
        <PostImage
          ref={photo}
          post={post}
          src={picture}
          onLoad={handleLoad}
          className="m-auto max-w-none shrink-0"
        />
      </div>
    </FullWindow>
  )
}
