import { create } from 'zustand'

interface CardState {
  areCommentsOpen: boolean
  /** Index of the photo that is shown, in the list and in the open post. */
  photo: number
}

const CLOSED: CardState = { areCommentsOpen: false, photo: 0 }

/** By post: a card that scrolls out of the list and back keeps its state. */
const useCardStates = create<Record<string, CardState>>(() => ({}))

export function setCardState(postId: string, part: Partial<CardState>): void {
  useCardStates.setState((states) => ({ [postId]: { ...(states[postId] ?? CLOSED), ...part } }))
}

/** The index of the photo that is shown of a post. */
export function shownPhoto(postId: string): number {
  return (useCardStates.getState()[postId] ?? CLOSED).photo
}

export function useCardState(postId: string): [CardState, (change: Partial<CardState>) => void] {
  const state = useCardStates((states) => states[postId] ?? CLOSED)
  return [state, (part) => setCardState(postId, part)]
}
