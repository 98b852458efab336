import { create } from 'zustand'

interface CardState {
  areCommentsOpen: boolean
  /** The whole of a long text is shown. */
  isUnfolded: boolean
}

const CLOSED: CardState = { areCommentsOpen: false, isUnfolded: false }

/** What was opened on a post's card: one that scrolls out of the list and back is as it was left. */
const useCardStates = create<Record<string, CardState>>(() => ({}))

export function useCardState(postId: string): [CardState, (change: Partial<CardState>) => void] {
  const state = useCardStates((states) => states[postId] ?? CLOSED)
  const change = (part: Partial<CardState>) =>
    useCardStates.setState((states) => ({ [postId]: { ...(states[postId] ?? CLOSED), ...part } }))
  return [state, change]
}
