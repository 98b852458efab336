import { PeopleDialog } from '#/renderer/features/people'
import { useModalParam } from '#/renderer/lib/modal-route'

/** The list of followers or followed members in the `people` parameter (PROF-12). */
export function PeopleModal({ memberId }: { memberId: string }) {
  const [kind, close] = useModalParam('people')
  if (kind !== 'followers' && kind !== 'following') return null
  return <PeopleDialog list={{ kind, id: memberId }} onClose={close} />
}
