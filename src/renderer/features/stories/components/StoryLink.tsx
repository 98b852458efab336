import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { NEW_STORY, storyState, withStory } from '../address'
import { prefetchStory } from '../queries'
import { preloadViewer } from '../StoryModal'

interface StoryLinkProps {
  id: string
  className?: string
  onClick?: () => void
  children: ReactNode
}

/** Opens a single story over the page, e.g. from a message that replies to it. */
export function StoryLink({ id, className, onClick, children }: StoryLinkProps) {
  const { search } = useLocation()
  const client = useQueryClient()
  const { id: me } = useMe()
  const handlePreload = () => {
    preloadViewer()
    prefetchStory(client, me, id)
  }
  return (
    <Link
      to={{ search: withStory(search, id) }}
      state={storyState()}
      onClick={onClick}
      onPointerEnter={handlePreload}
      onFocus={handlePreload}
      className={className}
    >
      {children}
    </Link>
  )
}

/** Opens the form for a new story over the feed. */
export function AddStoryLink({ className, children }: Omit<StoryLinkProps, 'id'>) {
  return (
    <Link to={{ pathname: '/', search: withStory('', NEW_STORY) }} className={className}>
      {children}
    </Link>
  )
}
