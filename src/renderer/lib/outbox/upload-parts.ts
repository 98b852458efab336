import { upload } from '#/renderer/lib/media-store/upload/store'
import type { UploadOptions } from '#/renderer/lib/media-store/upload/upload-object'
import type { OutboxRow, SendTools } from './row'
import { removeUnusedObjects } from './unused-objects-store'

/**
 * Uploads the files of an outbox row by name, except the files that an earlier attempt has uploaded; a file that it has started to upload goes on
 * where it was cut. Returns their paths. Throws an
 * `AppError`, or the signal's reason.
 */
export async function uploadParts<N extends string>(
  parts: Readonly<Record<N, Blob>>,
  { uploads = {}, started = {} }: Pick<OutboxRow, 'uploads' | 'started'>,
  { signal, keepUpload, keepStarted, onProgress }: SendTools,
): Promise<Record<N, string>> {
  void removeUnusedObjects()
  const paths: Partial<Record<N, string>> = {}
  const names = Object.keys(parts) as N[]
  const total = names.reduce((bytes, name) => bytes + parts[name].size, 0)
  let done = 0
  for (const name of names) {
    const report = (fraction: number) => onProgress(done + parts[name].size * fraction, total)
    report(0)
    const options: UploadOptions = {
      signal,
      onProgress: report,
      started: started[name],
      keepStarted: (part) => keepStarted(name, part),
    }
    signal.throwIfAborted()
    const path = uploads[name] ?? (await upload(parts[name], options))
    if (uploads[name] === undefined) await keepUpload(name, path)
    paths[name] = path
    done += parts[name].size
  }
  onProgress(total, total)
  signal.throwIfAborted()
  return paths as Record<N, string>
}
