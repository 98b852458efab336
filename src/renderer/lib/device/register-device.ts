import { toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { tokenClaims } from '#/renderer/lib/server/session/token-claims'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { readDevice, storeDevice } from './stored-device'

/**
 * Tells the server once for each session on which device it is, so that the member's other devices ask about new ones
 * only. Never rejects: the next start tries again.
 */
export async function registerDevice(): Promise<void> {
  try {
    const { session } = await unwrap(supabase().auth.getSession())
    const id = tokenClaims(session?.access_token ?? '')?.session_id
    const device = readDevice()
    if (typeof id !== 'string' || id === device.session) return
    await unwrap(supabase().rpc('register_device', { device: device.id }))
    storeDevice({ ...device, session: id })
  } catch (cause) {
    const error = toAppError(cause)
    if (error.code !== 'offline') logFailure('register device', error)
  }
}
