import { create } from 'zustand'

/** A word about what was just done, and the way back from it. */
export interface Toast {
  text: string
  undo?: () => void
}

/** The toast on screen; a new one takes its place. */
export const useToast = create<{ toast: (Toast & { id: string }) | null }>(() => ({ toast: null }))

export function showToast(toast: Toast): void {
  useToast.setState({ toast: { ...toast, id: crypto.randomUUID() } })
}

export function closeToast(): void {
  useToast.setState({ toast: null })
}
