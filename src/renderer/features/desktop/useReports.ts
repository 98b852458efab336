import { useEffect } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import { desktop } from './desktop'

/** Reports what others do to the host, for as long as the member is here. */
export function useReports(me: string): void {
  useEffect(() => {
    let isOver = false
    let stop = () => {}
    // The page is there before anything happens that could be told.
    import('./report-events').then(
      ({ reportEvents }) => {
        if (!isOver) stop = reportEvents({ me, show: desktop.notifications.show })
      },
      (cause) => logFailure('load reports', cause),
    )
    return () => {
      isOver = true
      stop()
    }
  }, [me])
}
