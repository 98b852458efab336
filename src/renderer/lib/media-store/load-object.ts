import { AppError, toAppError } from '#/renderer/lib/core/errors'
import type { ObjectUse } from './check-object'
import { openLink, signPaths } from './requests'

/**
 * Downloads an object; null if the member may not see it. Throws an `AppError`, 'invalid' for an object that must not be shown, or the
 * signal's reason.
 * @param use what it is checked for; null if it is not checked, as a copy of the member's own file
 */
export async function loadObject(
  path: string,
  use: ObjectUse | null,
  signal?: AbortSignal,
): Promise<Blob | null> {
  const link = (await signPaths([path])).get(path)
  if (link === undefined) return null
  if (link.isChecked || use === null) return loadBody(link.url, signal)
  const { readChecked } = await import('./check-object')
  const file = await readChecked(link.url, path, use, signal)
  if (file === null) throw new AppError('invalid', '', 'object content')
  return file
}

async function loadBody(url: string, signal?: AbortSignal): Promise<Blob> {
  const response = await openLink(url, signal && { signal })
  try {
    return await response.blob()
  } catch (cause) {
    throw toAppError(cause)
  }
}
