import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/core/logger'

/** Whether something that the member writes stays in memory only, because the disk is full or cannot be used. */
export const useNotKept = create<{ isReported: boolean }>(() => ({ isReported: false }))

/** Informs the member, once for each page. Only the first cause is logged. */
export function reportNotKept(what: string, cause: unknown): void {
  if (useNotKept.getState().isReported) return
  useNotKept.setState({ isReported: true })
  logFailure(what, cause)
}
