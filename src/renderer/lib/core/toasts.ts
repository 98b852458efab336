import { create } from 'zustand'

/** Reports a finished action, and offers to undo it. */
export interface Toast {
  text: string
  undo?: () => void
}

/** The visible toast. A new one replaces it. */
export const useToast = create<{ toast: (Toast & { id: string }) | null }>(() => ({ toast: null }))

export function showToast(toast: Toast): void {
  useToast.setState({ toast: { ...toast, id: crypto.randomUUID() } })
}

export function closeToast(): void {
  useToast.setState({ toast: null })
}
