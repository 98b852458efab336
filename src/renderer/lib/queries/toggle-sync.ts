import { waitUntil } from '#/renderer/lib/core/pending-work-store'
import { setLatest } from '#/renderer/lib/core/set-latest'

interface Toggle {
  /** The last state that the server confirmed. */
  confirmed: boolean
  desired: boolean
  /** Failed attempts in a row. */
  failures: number
}

interface ToggleCalls {
  send: (isOn: boolean) => Promise<void>
  /** Called when the server refuses: roll back to the confirmed state. */
  onFailed: (confirmed: boolean, cause: unknown) => void
  /** Called when the toggle waits for another attempt; `cause` is undefined if none was possible yet. */
  onWaiting?: (cause: unknown) => void
}

/** Toggles that wait for the connection, also over a restart. */
export interface ToggleStore {
  read(key: string): StoredToggle | null
  write(key: string, toggle: StoredToggle | null): void
  /** Whether requests can be sent. */
  isReady(): boolean
  /** Whether a failed request is sent again, as one that failed because the connection is lost. */
  isLost(cause: unknown): boolean
  /**
   * Resolves with true when another attempt makes sense, and with false when the member has signed out: the toggle then
   * stays stored.
   * @param attempt how many attempts in a row have failed before the last one
   */
  nextAttempt(attempt: number): Promise<boolean>
}

/** From the confirmed to the desired state. */
export interface StoredToggle {
  from: boolean
  to: boolean
}

export interface ToggleSync {
  /** Changes a toggle from `from` to `to`. While a request is in flight, further calls only change its target. */
  set(key: string, from: boolean, to: boolean, calls: ToggleCalls): Promise<void>
  /** The target state while the server has not confirmed it; undefined otherwise. */
  desired(key: string): boolean | undefined
  /**
   * The state that a read may not contain yet: the target, or what the server confirmed after the read had started.
   * @param startedAt time of `performance.now()`
   */
  newerThan(startedAt: number, key: string): boolean | undefined
}

/**
 * Confirmations that are remembered, for reads that started before them; a read does not last longer than this many
 * toggles.
 */
const CONFIRMATIONS_KEPT = 100

/**
 * Synchronizes toggles (like, save, follow) with the server: requests for one key never overlap, intermediate presses
 * are skipped, and the last press wins.
 * @param store keeps toggles until the server has confirmed them; without it, one that fails is rolled back
 */
export function createToggleSync(store?: ToggleStore): ToggleSync {
  const running = new Map<string, Toggle>()
  const confirmations = new Map<string, { isOn: boolean; at: number }>()

  const keep = (key: string, { confirmed, desired }: Toggle) =>
    store?.write(key, { from: confirmed, to: desired })

  /** Sends the desired state. Returns whether to go on: with the next state, or after a failure. */
  async function sendNext(key: string, toggle: Toggle, calls: ToggleCalls): Promise<boolean> {
    const { send, onFailed, onWaiting } = calls
    const target = toggle.desired
    let failure: unknown
    try {
      if (store?.isReady() !== false) {
        await waitUntil(send(target))
        toggle.confirmed = target
        toggle.failures = 0
        setLatest(confirmations, key, { isOn: target, at: performance.now() }, CONFIRMATIONS_KEPT)
        return true
      }
    } catch (cause) {
      if (store?.isLost(cause) !== true) {
        store?.write(key, null)
        onFailed(toggle.confirmed, cause)
        return false
      }
      failure = cause
    }
    onWaiting?.(failure)
    if (!(await store.nextAttempt(toggle.failures++))) return false
    // Another window may have changed or sent it.
    toggle.desired = store.read(key)?.to ?? toggle.confirmed
    return true
  }

  async function follow(key: string, toggle: Toggle, calls: ToggleCalls): Promise<void> {
    running.set(key, toggle)
    keep(key, toggle)
    let isOn = true
    while (isOn && toggle.desired !== toggle.confirmed) isOn = await sendNext(key, toggle, calls)
    running.delete(key)
    if (isOn) store?.write(key, null)
  }

  return {
    desired: (key) => running.get(key)?.desired,
    newerThan: (startedAt, key) => {
      const confirmation = confirmations.get(key)
      const isNewer = confirmation !== undefined && confirmation.at > startedAt
      return running.get(key)?.desired ?? (isNewer ? confirmation.isOn : undefined)
    },
    set: async (key, from, to, calls) => {
      const current = running.get(key)
      if (current !== undefined) {
        current.desired = to
        keep(key, current)
      } else {
        const work = follow(key, { confirmed: from, desired: to, failures: 0 }, calls)
        // A toggle that waits for the connection is stored, and does not keep the app from quitting.
        await (store === undefined ? waitUntil(work) : work)
      }
    },
  }
}
