import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { type FirstHourStage, firstHourStage, storeFirstHourStage } from '#/renderer/lib/first-hour'
import { focusPageIfLost } from '#/renderer/lib/focus'
import { lazyPart } from '#/renderer/lib/lazy-component'

const FirstHourCard = lazyPart(() => import('./components/FirstHourCard'), 'FirstHourCard')

/** The first steps of a member who has just created the account on this device; nothing for others. */
export function FirstHour() {
  const { id: me } = useMe()
  const [stage, setStage] = useState(() => firstHourStage(me))
  const handleStage = (next: FirstHourStage | null) => {
    storeFirstHourStage(me, next)
    setStage(next)
    if (next === null) focusPageIfLost()
  }
  if (stage === null) return null
  return (
    // About as high as the card, so that the posts do not move when its code is there.
    <div className={stage === 'asking' ? '' : 'mb-4 min-h-70'}>
      <FirstHourCard stage={stage} onStage={handleStage} />
    </div>
  )
}
