import { create } from 'zustand'

/** Whether the member has pressed 'Sign Out'. `app/App.tsx` shows the question, because it is about all features. */
export const useSignOutRequest = create<{ isAsked: boolean }>(() => ({ isAsked: false }))

/** Signs out, after a question if the member has written something that is not sent. */
export function askToSignOut(): void {
  useSignOutRequest.setState({ isAsked: true })
}

export function endSignOutRequest(): void {
  useSignOutRequest.setState({ isAsked: false })
}
