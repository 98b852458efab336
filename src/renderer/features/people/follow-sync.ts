import { createToggleSync } from '#/renderer/lib/toggle-sync'

/** The follows that are on their way, of every member of this window. */
export const followSync = createToggleSync()

export function followKey(me: string, id: string): string {
  return `${me}:${id}`
}
