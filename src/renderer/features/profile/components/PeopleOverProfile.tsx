import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { PeopleDialog } from '#/renderer/features/people'

/** The list of followers or followed members that the address asks for; Back closes it, like Escape (PROF-12). */
export function PeopleOverProfile({ memberId }: { memberId: string }) {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const { key } = useLocation()
  const kind = params.get('people')
  if (kind !== 'followers' && kind !== 'following') return null
  const handleClose = () => {
    // The first entry of this window has nothing behind it.
    if (key !== 'default') return void navigate(-1)
    const next = new URLSearchParams(params)
    next.delete('people')
    setParams(next, { replace: true })
  }
  return <PeopleDialog list={{ kind, id: memberId }} onClose={handleClose} />
}
