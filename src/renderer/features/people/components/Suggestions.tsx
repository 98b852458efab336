import { useId } from 'react'
import { texts } from '#/renderer/lib/texts'
import type { Suggestion } from '../queries/suggestions'
import { PersonRow } from './PersonRow'

export function Suggestions({ people }: { people: readonly Suggestion[] }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="@container">
      <h2 id={heading} className="px-6 pb-1.5 font-semibold text-[15px]">
        {texts.people.toFollow}
      </h2>
      <ul className="@2xl:grid @2xl:grid-cols-2">
        {people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            note={
              person.followed_by === null
                ? null
                : texts.people.followedBy(person.followed_by, person.followed_by_count - 1)
            }
          />
        ))}
      </ul>
    </section>
  )
}
