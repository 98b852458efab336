import { PeopleDialog } from '#/renderer/features/people'
import { useAddressPart } from '#/renderer/lib/address-part'

/** The list of followers or followed members that the address asks for (PROF-12). */
export function PeopleOverProfile({ memberId }: { memberId: string }) {
  const [kind, close] = useAddressPart('people')
  if (kind !== 'followers' && kind !== 'following') return null
  return <PeopleDialog list={{ kind, id: memberId }} onClose={close} />
}
