import { waitUntil } from './pending-work-store'

interface Toggle {
  /** The last state that the server confirmed. */
  confirmed: boolean
  desired: boolean
}

interface ToggleCalls {
  send: (isOn: boolean) => Promise<void>
  /** Called when the server refuses: roll back to the confirmed state. */
  onFailed: (confirmed: boolean, cause: unknown) => void
}

export interface ToggleSync {
  /** Changes a toggle from `from` to `to`. While a request is in flight, further calls only change its target. */
  set(key: string, from: boolean, to: boolean, calls: ToggleCalls): Promise<void>
  /** The target state while the server has not confirmed it; undefined otherwise. */
  desired(key: string): boolean | undefined
}

/**
 * Synchronizes toggles (like, save, follow) with the server: requests for one key never overlap, intermediate presses
 * are skipped, and the last press wins.
 */
export function createToggleSync(): ToggleSync {
  const running = new Map<string, Toggle>()

  async function follow(key: string, toggle: Toggle, { send, onFailed }: ToggleCalls): Promise<void> {
    running.set(key, toggle)
    try {
      while (toggle.desired !== toggle.confirmed) {
        const target = toggle.desired
        await send(target)
        toggle.confirmed = target
      }
    } catch (cause) {
      onFailed(toggle.confirmed, cause)
    } finally {
      running.delete(key)
    }
  }

  return {
    desired: (key) => running.get(key)?.desired,
    set: async (key, from, to, calls) => {
      const current = running.get(key)
      if (current !== undefined) current.desired = to
      else await waitUntil(follow(key, { confirmed: from, desired: to }, calls))
    },
  }
}
