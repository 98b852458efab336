import { create } from 'zustand'

/** The settings whose save has failed, by storage key. They are sent again until the server has stored them. */
export const useUnsavedSettings = create<Readonly<Record<string, boolean>>>(() => ({}))

export function markSetting(key: string, isUnsaved: boolean): void {
  useUnsavedSettings.setState({ [key]: isUnsaved })
}
