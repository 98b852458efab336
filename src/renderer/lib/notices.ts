import { create } from 'zustand'

/** A word about what was just done, and the way back from it. */
export interface Notice {
  text: string
  undo?: () => void
}

/** The notice on screen; a new one takes its place. */
export const useNotice = create<{ notice: (Notice & { id: string }) | null }>(() => ({ notice: null }))

export function showNotice(notice: Notice): void {
  useNotice.setState({ notice: { ...notice, id: crypto.randomUUID() } })
}

export function closeNotice(): void {
  useNotice.setState({ notice: null })
}
