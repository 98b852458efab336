import { Button } from '#/renderer/components/Button'
import { PersonRow, usePeopleToFollowQuery } from '#/renderer/features/people'
import { LatestPhotos } from '#/renderer/features/profile'
import { texts } from '#/renderer/lib/texts'
import { Step, type StepProps } from './Step'

const words = texts.firstHour

const PEOPLE_SHOWN = 5

export function PeopleStep(step: StepProps) {
  const { data: people } = usePeopleToFollowQuery()
  return (
    <Step
      {...step}
      position={3}
      title={words.peopleTitle}
      body={people?.length === 0 ? words.nobody : words.peopleBody}
      action={
        <Button variant="primary" onClick={step.onDone}>
          {words.done}
        </Button>
      }
    >
      <ul className="-mx-6 min-h-19">
        {people?.slice(0, PEOPLE_SHOWN).map((person) => (
          <PersonRow key={person.id} person={person} beside={<LatestPhotos memberId={person.id} />} />
        ))}
      </ul>
    </Step>
  )
}
