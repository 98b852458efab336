import { create } from 'zustand'

/** How many posts were not shared, because one of their photos could not be prepared. They stay in the composer. */
const unshared = create<{ count: number }>(() => ({ count: 0 }))

export function reportUnshared(): void {
  unshared.setState(({ count }) => ({ count: count + 1 }))
}

/** Calls back when a post was not shared because of a photo. Returns an unsubscribe function. */
export function onUnshared(listener: () => void): () => void {
  return unshared.subscribe(() => listener())
}
