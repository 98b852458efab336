import type { QueryClient } from '@tanstack/react-query'
import type { ChangeSource } from '#/renderer/lib/live'
import { DEVICE_REGISTERED_MINUTES } from '#/shared/limits'
import { settingsKeys } from './keys'

/** A device that has not registered by then counts as new, in milliseconds. */
const REGISTERED_MS = DEVICE_REGISTERED_MINUTES * 60_000 + 10_000

/**
 * Refetches the new sign-ins and the list of devices when the server announces a sign-in, and again when it is clear whether
 * its device is new.
 */
export function signInChanges(client: QueryClient): ChangeSource {
  return {
    table: 'sign_ins',
    // Nothing is read but the ids.
    columns: 'id',
    createReader: () => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const check = () => {
        void client.invalidateQueries({ queryKey: settingsKeys.newSignIns })
        void client.invalidateQueries({ queryKey: settingsKeys.sessions })
      }
      return {
        add: () => {
          check()
          clearTimeout(timer)
          timer = setTimeout(check, REGISTERED_MS)
        },
        stop: () => clearTimeout(timer),
      }
    },
  }
}
