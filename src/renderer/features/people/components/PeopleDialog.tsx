import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { Dialog } from '#/renderer/components/Dialog'
import { IconButton } from '#/renderer/components/IconButton'
import { ListEnd } from '#/renderer/components/ListEnd'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import type { PeopleList } from '../keys'
import type { Person } from '../model'
import { useRemoveFollowerMutation } from '../mutations'
import { usePeopleQuery } from '../queries/people'
import { PersonRow } from './PersonRow'

interface PeopleDialogProps {
  list: PeopleList
  onClose: () => void
}

/** An infinite list of members in a dialog (PROF-12). */
export function PeopleDialog({ list, onClose }: PeopleDialogProps) {
  return (
    <Dialog title={texts.people.lists[list.kind]} onClose={onClose}>
      <PeopleItems list={list} />
    </Dialog>
  )
}

function PeopleItems({ list }: { list: PeopleList }) {
  const { id: me } = useMe()
  const scroller = useRef<HTMLUListElement>(null)
  const query = usePeopleQuery(list)
  const { data: people = [], isPending, isLoadingError, hasNextPage, refetch } = query
  const removal = useRemoveFollowerMutation()
  const [asked, setAsked] = useState<Person | null>(null)
  if (isPending || isLoadingError) {
    return (
      <div className="grid h-40 place-items-center">
        <SpinnerOrRetry hasFailed={!isPending} onRetry={refetch} />
      </div>
    )
  }
  if (people.length === 0 && !hasNextPage)
    return <p className="py-10 text-center text-quiet">{texts.people.none[list.kind]}</p>
  const isMine = list.kind === 'followers' && list.id === me
  return (
    <>
      <ul
        ref={scroller}
        aria-label={texts.people.lists[list.kind]}
        className="-mx-6 max-h-[min(480px,60dvh)] overflow-y-auto overscroll-contain"
      >
        {people.map((person) => (
          <PersonRow key={person.id} person={person}>
            {isMine && (
              <IconButton
                label={`${texts.people.remove} ${person.username}`}
                size="small"
                onClick={() => setAsked(person)}
                className="text-quiet"
              >
                <X />
              </IconButton>
            )}
          </PersonRow>
        ))}
        <ListEnd query={query} scroller={scroller} label={texts.people.more} />
      </ul>
      {asked !== null && (
        <ConfirmDialog
          title={texts.people.removeTitle(asked.username)}
          body={texts.people.removeBody}
          action={texts.people.remove}
          onConfirm={() => {
            removal.mutate(asked.id)
            setAsked(null)
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  )
}
