import { AppError, toAppError } from '#/renderer/lib/core/errors'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { showToast } from '#/renderer/lib/core/toasts'
import { limitAfterRefusal, requireStorage } from '#/renderer/lib/media/source/storage-store'
import { longestSeconds } from '#/renderer/lib/media/video/video-plan'
import { listObjects, removeObjects } from '#/renderer/lib/media-store/requests'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { POST_VIDEO, RESUMABLE_BYTES, VIDEO } from '#/shared/limits'
import { isLoopbackHost } from '#/shared/server'
import { storedExtension } from '#/shared/stored-media'
import { isVideoType, type UploadOptions, uploadObject } from './upload-object'

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
  try {
    if (content.size > RESUMABLE_BYTES && !isOnThisComputer()) {
      const { uploadResumable } = await import('./upload-resumable')
      return await uploadResumable(newPath, content, options)
    }
    const path = newPath()
    await uploadObject(path, content, options)
    return path
  } catch (cause) {
    options?.signal?.throwIfAborted()
    const error = toAppError(cause)
    throw error.code === 'too-large' ? await tooLarge(error, content) : error
  }
}

/** The refusal of a file because of its size, with what the server takes. Shown here for all uploads, as it is said of the quotas. */
async function tooLarge({ detail }: AppError, { size, type }: Blob): Promise<AppError> {
  const limit = await limitAfterRefusal(size)
  const longest = (bytes: number) =>
    longestSeconds({ width: VIDEO.longSide, height: VIDEO.shortSide }, { ...POST_VIDEO, bytes })
  const text =
    limit !== null && isVideoType(type)
      ? texts.media.serverLimit(limit, longest(limit))
      : texts.media.serverRefuses(size)
  showToast({ text })
  return new AppError('too-large', text, detail)
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
