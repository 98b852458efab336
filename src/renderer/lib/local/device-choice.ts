import { create } from 'zustand'
import { readItem, storeItem } from './local-storage'

interface DeviceChoice<T> {
  useChoice: () => T
  choose: (choice: T) => void
  /** Calls back with the choice, now and after each change, in other windows too. */
  follow: (apply: (choice: T) => void) => void
}

/**
 * A choice of how the app looks. The device remembers it for all its members.
 * @param preset the default
 */
export function createDeviceChoice<T extends string>(
  storageKey: `vignette.${string}`,
  choices: readonly T[],
  preset: T,
): DeviceChoice<T> {
  const stored = () => choices.find((choice) => choice === readItem(storageKey)) ?? preset
  const useChosen = create<{ choice: T | null }>(() => ({ choice: null }))
  const current = () => useChosen.getState().choice ?? stored()
  return {
    useChoice: () => useChosen(({ choice }) => choice) ?? stored(),
    choose: (choice) => {
      storeItem(storageKey, choice === preset ? null : choice)
      useChosen.setState({ choice })
    },
    follow: (apply) => {
      apply(current())
      useChosen.subscribe(() => apply(current()))
      addEventListener('storage', ({ key }: StorageEvent) => {
        if (key === storageKey || key === null) useChosen.setState({ choice: stored() })
      })
    },
  }
}
