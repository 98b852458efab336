import { create } from 'zustand'

/** After this time without an answer the member is offered to sign out, in milliseconds. */
const OVERDUE_MS = 60_000

interface SessionRenewal {
  /** Runs since the first attempt that was not answered. */
  timer: ReturnType<typeof setTimeout> | null
  isOverdue: boolean
}

/** Whether the server answers the attempts to renew the session. */
export const useSessionRenewal = create<SessionRenewal>(() => ({ timer: null, isOverdue: false }))

/** An attempt to renew the session was not answered, or not by the server. */
export function renewalUnanswered(): void {
  if (useSessionRenewal.getState().timer !== null) return
  const timer = setTimeout(() => useSessionRenewal.setState({ isOverdue: true }), OVERDUE_MS)
  useSessionRenewal.setState({ timer })
}

/** The server has renewed a session, opened one or refused to. */
export function renewalAnswered(): void {
  const { timer } = useSessionRenewal.getState()
  if (timer === null) return
  clearTimeout(timer)
  useSessionRenewal.setState({ timer: null, isOverdue: false })
}

/** Whether the session could not be renewed for a minute. */
export function useIsRenewalOverdue(): boolean {
  return useSessionRenewal(({ isOverdue }) => isOverdue)
}
