import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { focusPageIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { type FirstHourStage, firstHourStage, storeFirstHourStage } from '#/renderer/lib/local/first-hour'

const FirstHourCard = lazyPart(() => import('./components/FirstHourCard'), 'FirstHourCard')

/** What the first hour of the member still shows, and a function that goes on; null on other devices and for other members. */
export function useFirstHour(): [FirstHourStage | null, (next: FirstHourStage | null) => void] {
  const { id: me } = useMe()
  const [stage, setStage] = useState(() => firstHourStage(me))
  const goTo = (next: FirstHourStage | null) => {
    storeFirstHourStage(me, next)
    setStage(next)
    if (next === null) focusPageIfLost()
  }
  return [stage, goTo]
}

interface FirstHourProps {
  stage: FirstHourStage
  onStage: (next: FirstHourStage | null) => void
}

/** The first steps of a member who has just created the account on this device. */
export function FirstHour({ stage, onStage }: FirstHourProps) {
  return (
    // About as high as the card, so that the posts do not move when its code is there.
    <div className={stage === 'asking' ? '' : 'mb-4 min-h-70'}>
      <FirstHourCard stage={stage} onStage={onStage} />
    </div>
  )
}
