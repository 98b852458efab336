import { useModalRoute } from '#/renderer/lib/navigation/modal-route'
import { PeopleDialog } from './PeopleDialog'

/** The likers of the post in the `likes` parameter (PROF-12). */
export function LikersModal() {
  const { value: postId, close } = useModalRoute('likes')
  if (postId === null) return null
  return <PeopleDialog list={{ kind: 'likes', id: postId }} onClose={close} />
}
