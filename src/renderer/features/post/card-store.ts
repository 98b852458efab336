import { create } from 'zustand'

interface CardState {
  areCommentsOpen: boolean
  /** Index of the photo that is shown, in the list and in the open post. */
  photo: number
}

const CLOSED: CardState = { areCommentsOpen: false, photo: 0 }

/** By post: a card that scrolls out of the list and back keeps its state. */
const useCardStates = create<Record<string, CardState>>(() => ({}))

export function useCardState(postId: string): [CardState, (change: Partial<CardState>) => void] {
  const state = useCardStates((states) => states[postId] ?? CLOSED)
  const change = (part: Partial<CardState>) =>
    useCardStates.setState((states) => ({ [postId]: { ...(states[postId] ?? CLOSED), ...part } }))
  return [state, change]
}
