import { create } from 'zustand'
import { readItem, storeItem } from './local-storage'

interface DeviceChoice<T> {
  useChoice: () => T
  choose: (choice: T) => void
}

/**
 * A choice of how the app looks. The device remembers it for all its members.
 * @param choices the first one is the default
 */
export function createDeviceChoice<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): DeviceChoice<T> {
  const storageKey = `vignette.choice.${name}`
  const [preset] = choices
  const stored = () => choices.find((choice) => choice === readItem(storageKey)) ?? preset
  const useChosen = create<{ choice: T | null }>(() => ({ choice: null }))
  return {
    useChoice: () => useChosen(({ choice }) => choice) ?? stored(),
    choose: (choice) => {
      storeItem(storageKey, choice === preset ? null : choice)
      useChosen.setState({ choice })
    },
  }
}
