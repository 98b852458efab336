import type { Backend } from '#/backend/start/start-backend'
import type { StoreMember } from './support'

export const TUS = { 'tus-resumable': '1.0.0' }

/** An Upload-Metadata header with these fields. */
function metadataOf(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join()
}

/** The Upload-Metadata of a video. */
export function videoMetadata(objectName: string, fields: Record<string, string> = {}): string {
  return metadataOf({ bucketName: 'media', objectName, contentType: 'video/mp4', ...fields })
}

/** Requests of a client of tus. */
export function tusClient({ url }: Pick<Backend, 'url'>, { headers }: Pick<StoreMember, 'headers'>) {
  const root = `${url}/storage/v1/upload/resumable`
  const send = async (
    method: string,
    path: string,
    more: Record<string, string>,
    body?: Uint8Array<ArrayBuffer>,
  ) =>
    fetch(path.startsWith('/') ? `${url}${path}` : `${root}${path}`, {
      method,
      headers: { ...TUS, ...(await headers()), ...more },
      ...(body && { body }),
    })
  return {
    create: (key: string, length: number, more: Record<string, string> = {}) =>
      send('POST', '', { 'upload-length': String(length), 'upload-metadata': videoMetadata(key), ...more }),
    /** Creates an upload and returns the path of its address. */
    open: async (key: string, length: number): Promise<string> => {
      const response = await send('POST', '', {
        'upload-length': String(length),
        'upload-metadata': videoMetadata(key),
      })
      if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
      return response.headers.get('location') ?? ''
    },
    append: (
      path: string,
      offset: number,
      body: Uint8Array<ArrayBuffer>,
      more: Record<string, string> = {},
    ) =>
      send(
        'PATCH',
        path,
        { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...more },
        body,
      ),
    head: (path: string) => send('HEAD', path, {}),
    /** The offset of an upload; null if it does not exist. */
    offset: async (path: string): Promise<number | null> => {
      const { status, headers: received } = await send('HEAD', path, {})
      return status === 200 ? Number(received.get('upload-offset')) : null
    },
    terminate: (path: string) => send('DELETE', path, {}),
    send,
  }
}
