import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import { whenQuiet } from '#/renderer/lib/when-quiet'
import { desktop } from './desktop'

/** Reports what others do to the host, for as long as the member is here. */
export function useReports(me: string): void {
  const client = useQueryClient()
  useEffect(() => {
    let isOver = false
    let stop = () => {}
    // The page is there before anything happens that could be told.
    const callOff = whenQuiet(client, () => {
      import('./report-events').then(
        ({ reportEvents }) => {
          if (!isOver) stop = reportEvents({ me, show: desktop.notifications.show })
        },
        (cause) => logFailure('load reports', cause),
      )
    })
    return () => {
      isOver = true
      callOff()
      stop()
    }
  }, [client, me])
}
