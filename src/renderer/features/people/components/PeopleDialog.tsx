import { useRef, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { Dialog } from '#/renderer/components/Dialog'
import { Spinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { useOnScreen } from '#/renderer/lib/useOnScreen'
import { type PeopleList, type Person, usePeopleQuery, useRemoveFollowerMutation } from '../lists'
import { PersonRow } from './PersonRow'

interface PeopleDialogProps {
  list: PeopleList
  onClose: () => void
}

/** A list of members over the page, read on as one scrolls (PROF-12). */
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
  const { data: people = [], isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const removal = useRemoveFollowerMutation()
  const [asked, setAsked] = useState<Person | null>(null)
  const end = useOnScreen<HTMLLIElement>(scroller, () => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  })
  if (isPending || query.isLoadingError) {
    return (
      <div className="grid h-40 place-items-center">
        {isPending ? <Spinner /> : <Button onClick={() => void query.refetch()}>{texts.tryAgain}</Button>}
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
          <PersonRow key={person.id} person={person} {...(isMine && { onRemove: () => setAsked(person) })} />
        ))}
        {hasNextPage && (
          // A new one for each page, which is looked at anew.
          <li key={`${query.dataUpdatedAt} ${isError}`} ref={end} className="grid h-14 place-items-center">
            {isError ? (
              <Button onClick={() => void fetchNextPage()}>{texts.tryAgain}</Button>
            ) : (
              <Spinner size={18} label={texts.people.more} />
            )}
          </li>
        )}
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
