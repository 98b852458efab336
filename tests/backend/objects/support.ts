import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Backend, BackendOptions } from '#/backend/start/start-backend'
import { discard, signUpMember, startUnmanagedBackend } from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { bytes, photo } from '#tests/renderer/lib/media/files'

export const PICTURE = photo('lossy.webp')
const THUMBHASH = '3OcRJYB4d3h/iIeHeEh3eIhw+j2w'

export interface StoreMember {
  id: string
  client: SupabaseClient
  /** The headers of a request with the member's access token. */
  headers: () => Promise<Record<string, string>>
}

/** Starts a backend for the tests of a file. */
export async function startStore(options: Partial<BackendOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-objects-'))
  await copyPreparedDatabase(folder)
  const backend = await startUnmanagedBackend(folder, options)
  return {
    backend,
    folder,
    join: (username: string) => joinStore(backend, username),
    dispose: async () => {
      await discard(backend)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function joinStore(
  backend: Pick<Backend, 'url' | 'publishableKey'>,
  username: string,
): Promise<StoreMember> {
  const { client, id } = await signUpMember(backend, username)
  const headers = async () => {
    const { data } = await client.auth.getSession()
    return { apikey: backend.publishableKey, authorization: `Bearer ${data.session?.access_token}` }
  }
  return { id, client, headers }
}

export function keyOf(member: string, extension = 'webp'): string {
  return `${member}/${randomUUID()}.${extension}`
}

export function bucketOf({ client }: Pick<StoreMember, 'client'>) {
  return client.storage.from('media')
}

/** Uploads bytes. The server takes no form, which supabase-js sends for a Blob. */
export function put(
  member: Pick<StoreMember, 'client'>,
  key: string,
  content: Uint8Array<ArrayBuffer>,
  contentType: string,
) {
  return bucketOf(member).upload(key, content, { contentType })
}

/** Throws the error of a supabase-js result. */
export async function unwrap<T>(
  work: PromiseLike<{ data: T; error: Error | null }>,
): Promise<NonNullable<T>> {
  const { data, error } = await work
  if (error !== null) throw error
  return data as NonNullable<T>
}

export async function upload(
  member: StoreMember,
  content: Uint8Array<ArrayBuffer> = PICTURE,
): Promise<string> {
  const key = keyOf(member.id)
  await unwrap(put(member, key, content, 'image/webp'))
  return key
}

export async function uploadVideo(member: StoreMember, size: number): Promise<string> {
  const key = keyOf(member.id, 'mp4')
  await unwrap(put(member, key, videoOf(size), 'video/mp4'))
  return key
}

const PATTERN = Uint8Array.from({ length: 251 }, (_, index) => index)

/** An MP4 without tracks; each byte of its media differs from its neighbours, so that a wrong range is noticed. */
export function videoOf(size: number): Uint8Array<ArrayBuffer> {
  const video = new Uint8Array(Buffer.alloc(size, PATTERN))
  const media = (size - 32).toString(16).padStart(8, '0')
  video.set(bytes(`00000018 'ftyp' 'isom' 00000000 'isom' 'mp42' 00000008 'moov' ${media} 'mdat'`))
  return video
}

/** Inserts a post with one photo and returns the keys of its three sizes. */
export async function postPhoto(member: StoreMember): Promise<{ post: string; keys: string[] }> {
  const post = randomUUID()
  const keys = [await upload(member), await upload(member), await upload(member)]
  const [full_path, feed_path, grid_path] = keys
  const photos = [{ full_path, feed_path, grid_path, width: 70, height: 50, thumbhash: THUMBHASH }]
  await unwrap(member.client.rpc('create_post', { post_id: post, content: 'photo', media: photos }))
  return { post, keys }
}

export async function postStory(member: StoreMember): Promise<{ story: string; key: string }> {
  const story = randomUUID()
  const key = await upload(member)
  const row = { id: story, user_id: member.id, media_path: key, media_type: 'image', thumbhash: THUMBHASH }
  const size = { media_width: 70, media_height: 50, poster_path: await upload(member) }
  const { error } = await member.client.from('stories').insert({ ...row, ...size })
  if (error !== null) throw new Error(error.message)
  return { story, key }
}

export async function signedUrl(reader: StoreMember, key: string): Promise<string> {
  return (await unwrap(bucketOf(reader).createSignedUrl(key, 3_600))).signedUrl
}

/** Names of all stored files, including those of running uploads and deleted objects. */
export async function storedFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
