import { AppError } from '#/renderer/lib/core/errors'
import { type Client, supabase, unwrap } from '#/renderer/lib/server/supabase'

/** Where a server keeps pictures and videos: as objects in Storage, or as data URLs in its rows. */
export type MediaKind = 'storage' | 'inline'

/** By client, and so by server; a failed request is sent again. */
const kinds = new WeakMap<Client, Promise<MediaKind>>()

async function loadKind(client: Client): Promise<MediaKind> {
  try {
    return (await unwrap(client.rpc('media_in_storage'))) ? 'storage' : 'inline'
  } catch (cause) {
    // An older server does not have the function.
    if (cause instanceof AppError && ['refused', 'not-found'].includes(cause.code)) return 'inline'
    throw cause
  }
}

/**
 * Where this page's server keeps media; requested once. Rejects with an `AppError`, also while the app does not know
 * its server yet.
 */
export async function mediaKind(): Promise<MediaKind> {
  const client = supabase()
  const kind = kinds.get(client) ?? loadKind(client)
  kinds.set(client, kind)
  kind.catch(() => kinds.delete(client))
  return kind
}
