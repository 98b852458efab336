import { type Me, useSessionStore } from './session'

/** The signed-in member. Only use it below `RequireMember`. */
export function useMe(): Me {
  const session = useSessionStore((state) => state.session)
  if (session.status !== 'signed-in') throw new Error('useMe outside a guarded route')
  return session.me
}
