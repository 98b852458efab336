import { Bookmark, Camera, Tag } from 'lucide-react'
import { EmptyState } from '#/renderer/components/EmptyState'
import { texts } from '#/renderer/lib/texts'
import type { GridKind } from '../grids'

function wordsFor(kind: GridKind, isOwn: boolean): { title: string; body: string | null } {
  switch (kind) {
    case 'posts':
      return { title: texts.profile.noPosts, body: isOwn ? texts.profile.noOwnPosts : null }
    case 'saved':
      return { title: texts.profile.noSaved, body: texts.profile.noSavedBody }
    case 'tagged':
      return { title: texts.profile.noTagged, body: texts.profile.noTaggedBody }
  }
}

const ICONS = { posts: Camera, saved: Bookmark, tagged: Tag } as const

export function EmptyGrid({ kind, isOwn }: { kind: GridKind; isOwn: boolean }) {
  return (
    <div className="px-4 py-20">
      <EmptyState Icon={ICONS[kind]} {...wordsFor(kind, isOwn)} />
    </div>
  )
}
