import { AppError } from '#/renderer/lib/core/errors'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { requireStorage } from '#/renderer/lib/media/source/storage-store'
import { listObjects, removeObjects } from '#/renderer/lib/media-store/requests'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { RESUMABLE_BYTES } from '#/shared/limits'
import { isLoopbackHost } from '#/shared/server'
import { storedExtension } from '#/shared/stored-media'
import { type UploadOptions, uploadObject } from './upload-object'

/** A server on this computer gets any file in a moment, and the app's own has no resumable uploads (docs/decisions/0101). */
function isOnThisComputer(): boolean {
  const { server } = useServerInfo.getState()
  return server !== null && isLoopbackHost(new URL(server.url).hostname)
}

/** Uploads a file into the member's folder. Returns its path, which is never used again. Throws an `AppError`. */
export async function upload(content: Blob, options?: UploadOptions): Promise<string> {
  await requireStorage()
  const { session } = await unwrap(supabase().auth.getSession())
  const me = session?.user.id
  const newPath = () => `${me}/${crypto.randomUUID()}.${storedExtension(content.type)}`
  if (content.size > RESUMABLE_BYTES && !isOnThisComputer()) {
    const { uploadResumable } = await import('./upload-resumable')
    return uploadResumable(newPath, content, options)
  }
  const path = newPath()
  await uploadObject(path, content, options)
  return path
}

/** Objects listed at a time: Storage's maximum. */
const FOLDER_PAGE = 1_000
/** A million objects: a server may list others for ever. */
const FOLDER_PAGES_MOST = 1_000

/** Removes all objects of a member that no row refers to. Throws an `AppError`. */
export async function removeFolder(me: string): Promise<void> {
  let before = ''
  for (let page = 0; page < FOLDER_PAGES_MOST; page += 1) {
    const paths = await listObjects(me, FOLDER_PAGE)
    // What is still there cannot be removed.
    if (paths.length === 0 || paths.join() === before) return
    await removeObjects(paths)
    before = paths.join()
  }
  throw new AppError('server', '', 'a folder without an end')
}
