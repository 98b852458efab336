import type { LiveSessions } from '#/backend/access/live-sessions'
import type { Tokens } from '#/backend/access/tokens'
import type { Exclusive } from '#/backend/base/queue'
import type { Session } from '#/backend/database/queries'
import type { DataFolder } from '#/backend/storage/data-folder'
import { checkContent } from './check-content'
import { checkStoredObjects } from './check-stored'
import { createLinkTokens } from './link-tokens'
import { openObjectFiles } from './object-files'
import { BUCKET } from './object-key'
import { createObjectRows } from './object-rows'
import { createObjectsHandler, type ObjectsHandler } from './objects-handler'
import { copyTimes, createObjectSweep, type ObjectSweep } from './sweep-objects'

export interface OpenObjectsOptions {
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

/** Opens Storage. */
export async function openObjects(options: OpenObjectsOptions): Promise<Objects> {
  const { folder, pg, maintenance, exclusive, tokens, sessions, signingKey, onWrite } = options
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
    check: checkContent,
    isLiveSession: sessions.isLive,
    copyTimes: times,
    onWrite,
  })
  const stored = { pg: maintenance, exclusive, files }
  return { handle, sweep, checkStored: (isStopped) => checkStoredObjects(stored, isStopped) }
}

/** The migrations have created it; a build before 0.2 could remove it, to test the app without Storage. */
async function ensureBucket(pg: Session): Promise<void> {
  const { rows } = await pg.query('select from storage.buckets where id = $1', [BUCKET])
  if (rows.length === 0) await pg.exec('select private.create_media_bucket()')
}
