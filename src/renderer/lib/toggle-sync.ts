import { finishBeforeQuitting } from './under-way'

interface Toggle {
  /** What the server has, as far as it answered. */
  confirmed: boolean
  desired: boolean
}

interface ToggleCalls {
  send: (isOn: boolean) => Promise<void>
  /** The server refused: the screen goes back to what it has. */
  onFailed: (confirmed: boolean, cause: unknown) => void
}

/** What `createToggleSync` gives. */
export interface ToggleSync {
  /** Sets a switch that stood at `from`; calls that follow while one is under way only move its goal. */
  set(key: string, from: boolean, to: boolean, calls: ToggleCalls): Promise<void>
  /** Where a switch is going, while the server does not know it yet. */
  desired(key: string): boolean | undefined
}

/**
 * Keeps switches (like, save, follow) in step with the server: calls for one key never overlap, presses in between
 * are skipped, and the last press wins, on screen and on the server.
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
      else await finishBeforeQuitting(follow(key, { confirmed: from, desired: to }, calls))
    },
  }
}
