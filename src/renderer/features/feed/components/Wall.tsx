import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type PhotoQuery, PhotoRows } from '#/renderer/components/PhotoRows'
import { WallCell } from '#/renderer/features/post'
import type { OutboxRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import type { FeedKind } from '../keys'
import type { NewPost } from '../mutations'
import { type FeedPost, removeFromFeed } from '../queries'
import { PendingPost } from './lazy-pending-post'

interface WallProps {
  kind: FeedKind
  posts: readonly FeedPost[]
  ids: readonly string[]
  /** The member's posts that are not on the server yet, newest first, above all others. */
  pending: readonly OutboxRow<NewPost>[]
  query: PhotoQuery
  /** From `useReadAhead`. */
  onReadOn: (() => void) | undefined
}

/** A feed as whole photos in justified rows (FEED-21). */
export function Wall({ kind, posts, ids, pending, query, onReadOn }: WallProps) {
  const client = useQueryClient()
  const handleGone = useCallback((id: string) => removeFromFeed(client, id), [client])
  return (
    <>
      {pending.length > 0 && (
        <div className="mx-auto max-w-150">
          {pending.map((row, index) => (
            <PendingPost key={row.id} row={row} position={index + 1} setSize={pending.length} />
          ))}
        </div>
      )}
      <PhotoRows
        name={['wall', kind]}
        items={posts}
        layout="justified"
        query={query}
        onReadOn={onReadOn}
        loading={texts.feed.loadingMore}
        label={texts.feed.label}
      >
        {({ id, ratio }, width) => (
          <WallCell id={id} ratio={ratio} width={width} list={ids} onGone={handleGone} />
        )}
      </PhotoRows>
      {!query.hasNextPage && (
        <p className="grid h-16 place-items-center text-[13.5px] text-quiet">{texts.feed.end}</p>
      )}
    </>
  )
}
