import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'

/** In UTF-16 units: the database takes 30,000 characters; another server may send any text. */
const CAPTIONS_MOST = 60_000

/** The captions of a video as WebVTT; empty without any, or if the member may not see it. Throws an `AppError`. */
export async function loadCaptions(path: string): Promise<string> {
  const media = supabase().from('post_media').select('captions').eq('media_path', path)
  const row = await unwrap(media.maybeSingle())
  const captions = row?.captions ?? ''
  return captions.length > CAPTIONS_MOST ? '' : captions
}

/** The query of a video's captions, as WebVTT; empty without any. */
export function captionsOptions(path: string) {
  return {
    queryKey: ['captions', path],
    queryFn: () => loadCaptions(path),
    staleTime: STALE.immutable,
  }
}
