import { Play } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { Picture } from '#/renderer/components/Picture'
import type { StoredMedia } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { lightTable } from '#/renderer/lib/texts/later/light-table'
import { videosOf } from './FeedPhotos'

interface FilmstripProps {
  media: readonly StoredMedia[]
  current: number
  onChoose: (index: number) => void
}

/** The photos of a post in a row of small ones. */
export function Filmstrip({ media, current, onChoose }: FilmstripProps) {
  const videos = videosOf(media)
  const strip = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    strip.current?.children[current]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav
      ref={strip}
      aria-label={videos.includes(true) ? lightTable.filmstripWithVideos : lightTable.filmstrip}
      className="flex h-17 shrink-0 items-center gap-1 overflow-x-auto px-3 [scrollbar-width:none] *:first:ms-auto *:last:me-auto"
    >
      {media.map((photo, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: the photos of a post keep their order.
          key={index}
          type="button"
          aria-label={texts.post.photoOf(index + 1, media.length, videos)}
          {...(index === current && { 'aria-current': true })}
          onClick={() => onChoose(index)}
          className={`relative h-10 w-14 shrink-0 overflow-hidden rounded-sm transition-opacity duration-150 ${index === current ? 'outline-2 outline-ink outline-offset-1' : 'opacity-60 hover:opacity-100'}`}
        >
          <Picture source={smallest(photo)} alt="" sizes="56px" fit="cover" className="size-full" />
          {photo.video !== null && (
            <Play
              aria-hidden="true"
              className="absolute inset-0 m-auto size-4 fill-white stroke-none drop-shadow-md"
            />
          )}
        </button>
      ))}
    </nav>
  )
}

/** The grid's size alone: it is known where the post was opened, and enough here. */
function smallest({ source }: StoredMedia): StoredMedia['source'] {
  return source.kind === 'stored' ? { ...source, sizes: source.sizes.slice(0, 1) } : source
}
