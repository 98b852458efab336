import { create } from 'zustand'

/** Ids of texts that are shown in full: a row that scrolls out of its list and back stays as it was. */
const useUnfolded = create<Record<string, true>>(() => ({}))

export function useIsUnfolded(id: string): boolean {
  return useUnfolded((ids) => id in ids)
}

export function setUnfolded(id: string, isUnfolded: boolean): void {
  const { [id]: _, ...others } = useUnfolded.getState()
  useUnfolded.setState(isUnfolded ? { ...others, [id]: true } : others, true)
}
