import { supabase } from '#/renderer/lib/server/supabase'
import { CHANGE_EVENT } from './changes'
import { handleChange } from './live'
import { onCaughtUp } from './row-changes-store'
import { keepSubscribed } from './subscription'

interface GroupChannelParts {
  /** Changes arrive from now on; earlier ones may have been missed. */
  onJoined: () => void
  /** The server refused or closed the channel: the member is no longer in the group, or it has another epoch. */
  onEnded: () => void
}

/**
 * Joins the private channel of a group, in which only the database broadcasts: its new and changed messages, and that the group itself
 * has changed. Returns a leave function.
 */
export function joinGroup(id: string, epoch: number, { onJoined, onEnded }: GroupChannelParts): () => void {
  const prepare = (topic: string) =>
    supabase()
      .channel(topic, { config: { private: true } })
      .on<Record<string, unknown>>('broadcast', { event: CHANGE_EVENT }, ({ payload }) =>
        handleChange(payload),
      )
  const handleStatus = (isSubscribed: boolean) => {
    if (isSubscribed) onJoined()
    else if (supabase().realtime.isConnected()) onEnded()
  }
  return keepSubscribed(`conversation:${id}:${epoch}`, prepare, handleStatus, onCaughtUp)
}
