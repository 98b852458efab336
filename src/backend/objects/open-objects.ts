import type { LiveSessions } from '#/backend/access/live-sessions'
import type { Tokens } from '#/backend/access/tokens'
import { BackendError } from '#/backend/base/backend-error'
import type { Exclusive } from '#/backend/base/queue'
import type { Session } from '#/backend/database/queries'
import type { DataFolder } from '#/backend/storage/data-folder'
import type { MediaStorage } from '#/backend/storage/media-storage'
import { checkStoredObjects } from './check-stored'
import { createLinkTokens } from './link-tokens'
import { openObjectFiles } from './object-files'
import { BUCKET } from './object-key'
import { createObjectRows } from './object-rows'
import { createObjectsHandler, type ObjectsHandler } from './objects-handler'
import { copyTimes, createObjectSweep, type ObjectSweep } from './sweep-objects'

export interface OpenObjectsOptions {
  media: MediaStorage
  folder: DataFolder
  /** A session with a member's time limits. */
  pg: Session
  maintenance: Session
  exclusive: Exclusive
  tokens: Tokens
  sessions: Pick<LiveSessions, 'isLive'>
  /** Of signed links. */
  signingKey: Uint8Array
  onWrite: () => void
}

export interface Objects {
  handle: ObjectsHandler
  sweep: ObjectSweep
  checkStored(isStopped: () => boolean): ReturnType<typeof checkStoredObjects>
}

/** Opens Storage; null if clients store media inline. Throws a BackendError if they already store it in Storage. */
export async function openObjects(options: OpenObjectsOptions): Promise<Objects | null> {
  const { media, folder, pg, maintenance, exclusive, tokens, sessions, signingKey, onWrite } = options
  if (media === 'inline') {
    await exclusive(() => removeBucket(maintenance))
    return null
  }
  await exclusive(() => ensureBucket(maintenance))
  const files = await openObjectFiles(folder.objects)
  const times = () => copyTimes(folder)
  const sweep = createObjectSweep({ pg: maintenance, exclusive, files, copyTimes: times })
  await sweep.restoreFiles()
  const handle = createObjectsHandler({
    rows: createObjectRows(pg),
    files,
    links: createLinkTokens(signingKey),
    tokens,
    exclusive,
    isLiveSession: sessions.isLive,
    copyTimes: times,
    onWrite,
  })
  const stored = { pg: maintenance, exclusive, files }
  return { handle, sweep, checkStored: (isStopped) => checkStoredObjects(stored, isStopped) }
}

async function hasBucket(pg: Session): Promise<boolean> {
  return (await pg.query('select from storage.buckets where id = $1', [BUCKET])).rows.length > 0
}

/** The migrations have created it, unless the server was started with `inline` since. */
async function ensureBucket(pg: Session): Promise<void> {
  if (!(await hasBucket(pg))) await pg.exec('select private.create_media_bucket()')
}

async function removeBucket(pg: Session): Promise<void> {
  await pg.query(
    'delete from storage.buckets b where b.id = $1 and not exists (select from storage.objects o where o.bucket_id = b.id)',
    [BUCKET],
  )
  if (!(await hasBucket(pg))) return
  const message = 'This data folder has pictures in Storage. Start it without VIGNETTE_MEDIA=inline.'
  throw new BackendError('failed', message)
}
