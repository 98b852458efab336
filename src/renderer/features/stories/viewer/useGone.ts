import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { serverNow } from '#/renderer/lib/clock-store'
import { isLooking, onVisibility } from '#/renderer/lib/visibility'
import { forgetMedia } from '../media'
import { dropFromStrip, type Story, useKnownStory } from '../queries'

/**
 * Whether somebody else's story was taken away while one watches it; one that merely expires plays to its end. Nothing
 * tells of it: it is asked as the story is opened, when somebody comes back to the window, and when `ask` is called.
 */
export function useGone(story: Story): { isGone: boolean; ask: () => void } {
  const client = useQueryClient()
  const { id: me } = useMe()
  const isMine = story.user_id === me
  const { data, refetch } = useKnownStory(story.id)
  const [isGone, setIsGone] = useState(false)
  if (data === null && !isMine && !isGone && Date.parse(story.expires_at) > serverNow()) setIsGone(true)

  const ask = useCallback(() => void refetch(), [refetch])
  useEffect(() => {
    if (isMine) return
    return onVisibility(() => {
      if (isLooking()) ask()
    })
  }, [isMine, ask])
  useEffect(() => {
    if (!isGone) return
    dropFromStrip(client, story.id)
    return () => forgetMedia(client, story.id)
  }, [client, isGone, story.id])
  return { isGone, ask }
}
