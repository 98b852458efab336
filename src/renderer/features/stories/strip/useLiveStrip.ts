import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onCaughtUp } from '#/renderer/lib/live'
import { storyKeys } from '../queries'

/** Reads the strip anew once the connection is back, unless it was read a moment ago. */
export function useLiveStrip(): void {
  const client = useQueryClient()
  useEffect(
    () => onCaughtUp(() => void client.refetchQueries({ queryKey: storyKeys.strip, stale: true })),
    [client],
  )
}
