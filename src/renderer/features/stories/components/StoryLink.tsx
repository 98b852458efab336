import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { NEW_STORY, storyState, withStory } from '../address'
import { approachStory } from '../story-viewer'

interface StoryLinkProps {
  id: string
  className?: string
  onClick?: () => void
  children: ReactNode
}

/** Opens a story by itself over the page, e.g. from a message that answers it. */
export function StoryLink({ id, className, onClick, children }: StoryLinkProps) {
  const { search } = useLocation()
  const client = useQueryClient()
  const handleApproach = () => approachStory(client, id)
  return (
    <Link
      to={{ search: withStory(search, id) }}
      state={storyState()}
      onClick={onClick}
      onPointerEnter={handleApproach}
      onFocus={handleApproach}
      className={className}
    >
      {children}
    </Link>
  )
}

/** Leads to the form that makes a story, over the feed, where its bubble will be. */
export function AddStoryLink({ className, children }: Omit<StoryLinkProps, 'id'>) {
  return (
    <Link to={{ pathname: '/', search: withStory('', NEW_STORY) }} className={className}>
      {children}
    </Link>
  )
}
