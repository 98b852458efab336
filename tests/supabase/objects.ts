/** The parts of a database that its owner uses. */
type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>

/** Full, feed, grid and middle size of a photo. */
export type ObjectKeys = readonly [full: string, feed: string, grid: string, middle: string]

/**
 * Adds four objects to a member's folder, as if they had been uploaded, and returns their keys.
 * @param content what a server that looks into uploads knows of them
 */
export async function addObjects(
  query: Query,
  owner: string,
  {
    extension = 'webp',
    bytes = 1_000,
    content = {},
  }: { extension?: string; bytes?: number; content?: object } = {},
): Promise<ObjectKeys> {
  const key = () => `${owner}/${crypto.randomUUID()}.${extension}`
  const keys = [key(), key(), key(), key()] as const
  await query(
    `insert into storage.objects (bucket_id, name, owner_id, metadata)
      select 'media', key, $1, jsonb_build_object('size', $2::integer, 'mimetype', 'image/webp') || $4::text::jsonb
      from unnest($3::text[]) as key`,
    [owner, bytes, keys, JSON.stringify(content)],
  )
  return keys
}

/** A video as create_post() takes it, with its cover. */
export function videoOf(cover: ObjectKeys, media_path: string) {
  return { ...photoOf(cover), kind: 'video', media_path, duration_ms: 2_000, has_sound: true }
}

/** A photo as create_post() takes it. */
export function photoOf([full_path, feed_path, grid_path, middle_path]: ObjectKeys) {
  return { full_path, middle_path, feed_path, grid_path, width: 4, height: 3, thumbhash: 'AAAA' }
}
