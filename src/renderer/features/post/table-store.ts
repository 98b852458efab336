import { create } from 'zustand'

interface TableState {
  /** Whether the panel with the words and comments is shown beside or below the photo. */
  isPanelOpen: boolean
}

/** Kept while the app runs: who looks at photos alone does not hide the panel for each post. */
export const useTableState = create<TableState>(() => ({ isPanelOpen: true }))
