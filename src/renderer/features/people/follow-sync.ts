import { createToggleSync } from '#/renderer/lib/toggle-sync'

/** Follow requests in flight in this window. */
export const followSync = createToggleSync()

export function followKey(me: string, id: string): string {
  return `${me}:${id}`
}
