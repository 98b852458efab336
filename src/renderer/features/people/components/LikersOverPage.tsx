import { useAddressPart } from '#/renderer/lib/address-part'
import { PeopleDialog } from './PeopleDialog'

/** Who likes the post that the address names (PROF-12). */
export function LikersOverPage() {
  const [postId, close] = useAddressPart('likes')
  if (postId === null) return null
  return <PeopleDialog list={{ kind: 'likes', id: postId }} onClose={close} />
}
