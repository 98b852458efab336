import { useEffect, useEffectEvent, useRef } from 'react'
import type { FirstHourStage } from '#/renderer/lib/local/first-hour'
import { texts } from '#/renderer/lib/texts'
import { useAnotherMemberQuery } from '../queries'
import { Alone } from './Alone'
import { PeopleStep } from './PeopleStep'
import { PictureStep } from './PictureStep'
import { PrivacyStep } from './PrivacyStep'

interface FirstHourCardProps {
  stage: FirstHourStage
  onStage: (stage: FirstHourStage | null) => void
}

/** A card above the feed: a picture, public or private, people to follow; and what to do as the only member. */
export function FirstHourCard({ stage, onStage }: FirstHourCardProps) {
  const { data: another } = useAnotherMemberQuery()
  const card = useRef<HTMLElement>(null)

  const show = (next: FirstHourStage | null) => {
    onStage(next)
    card.current?.focus()
  }
  const end = () => show(another === undefined ? 'asking' : another === null ? 'alone' : null)
  const handleKnown = useEffectEvent(end)
  const isKnown = another !== undefined
  useEffect(() => {
    if (stage === 'asking' && isKnown) handleKnown()
  }, [stage, isKnown])
  if (stage === 'asking') return null
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={texts.firstHour.label}
      className="rounded-lg border border-line bg-raised p-5 outline-none sm:p-6"
    >
      {stage === 'picture' && <PictureStep onDone={() => show('privacy')} onSkipAll={end} />}
      {stage === 'privacy' && (
        <PrivacyStep onDone={() => show(another === null ? 'alone' : 'people')} onSkipAll={end} />
      )}
      {stage === 'people' && <PeopleStep onDone={() => show(null)} onSkipAll={end} />}
      {stage === 'alone' && another !== undefined && <Alone another={another} onClose={() => show(null)} />}
    </section>
  )
}
