import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import { PICTURE_BYTES } from '#/shared/limits'
import { isStoredPicture } from '#/shared/picture-content'
import { checkContent } from './check-content'
import type { Chunks } from './file-part'
import type { LinkReader } from './link-tokens'
import type { ObjectFiles } from './object-files'
import { BUCKET, OBJECT_BYTES_MAX, type ObjectKey, parseObjectKey } from './object-key'
import type { ObjectRows } from './object-rows'
import type { OpenUpload, OpenUploads } from './open-uploads'
import { RESUMABLE_ROOT } from './served'
import { REFUSALS, StorageError } from './storage-error'
import { receiveUpload } from './store-upload'

/** The version of the protocol: https://tus.io/protocols/resumable-upload. */
const VERSION = '1.0.0'
const EXTENSIONS = 'creation,expiration,termination'
const BODY_TYPE = 'application/offset+octet-stream'

/** What the client writes about an upload is kept until it is complete. */
const METADATA_MAX = 2_048

export interface ResumableHandlerOptions {
  rows: ObjectRows
  files: ObjectFiles
  uploads: OpenUploads
  /** Called after each write. */
  onWrite: () => void
}

/** What a request needs of the server. */
export interface ResumableContext {
  /** Rejects with a StorageError. */
  readMember: () => Promise<LinkReader>
  /** Runs a query in the member's turn. */
  inTurn: <T>(member: LinkReader, work: () => Promise<T>) => Promise<T>
}

/**
 * Serves the resumable uploads of Supabase Storage: tus 1.0.0 with its extensions creation, expiration and termination.
 * @param id of the upload; null for the address that creates one
 */
export type ResumableHandler = (
  request: Request,
  id: string | null,
  context: ResumableContext,
) => Promise<Response>

export function createResumableHandler(options: ResumableHandlerOptions): ResumableHandler {
  const { rows, files, uploads, onWrite } = options

  /** Checks the content, and makes the upload an object. An upload that nothing can complete any more is deleted. */
  const complete = async (member: LinkReader, upload: OpenUpload, { inTurn }: ResumableContext) => {
    const { id, key, length: size } = upload
    const path = uploads.pathOf(upload)
    try {
      const picture = await checkContent({ path, size }, key)
      await files.publish(id, path, () =>
        inTurn(member, () => rows.insert(member, { id, key, size, picture })),
      )
    } catch (error) {
      if (isFinal(error)) await uploads.close(upload)
      throw error
    }
    await uploads.close(upload)
    onWrite()
  }

  const create = async (request: Request, { readMember, inTurn }: ResumableContext) => {
    const member = await readMember()
    if (request.headers.get('x-upsert') === 'true') throw REFUSALS.notServed()
    const metadata = request.headers.get('upload-metadata') ?? ''
    const key = readKey(metadata)
    if (key.owner !== member.member) throw REFUSALS.forbidden()
    const length = readBytes(request.headers, 'upload-length')
    // The extension that sends the first piece with this request is not served.
    if (length === 0 || Number(request.headers.get('content-length')) > 0) throw REFUSALS.invalidRequest()
    if (length > (isStoredPicture(key.kind) ? PICTURE_BYTES : OBJECT_BYTES_MAX)) throw REFUSALS.tooLarge()
    // In one turn, so that several requests do not count the same room.
    const upload = await inTurn(member, async () => {
      const size = length + uploads.bytesOf(member.member)
      await rows.checkInsert(member, { id: crypto.randomUUID(), key, size, picture: null })
      return uploads.create({ key, length, metadata })
    })
    const headers = { location: `${RESUMABLE_ROOT}/${upload.id}`, 'upload-expires': expiryOf(upload) }
    return new Response(null, { status: 201, headers })
  }

  const readState = async (id: string, { readMember, inTurn }: ResumableContext) => {
    const member = await readMember()
    const find = async () => uploads.find(member.member, id)
    const upload = (await find()) && (await uploads.inTurn(id, find))
    if (upload !== null) {
      const { offset, length, metadata } = upload
      const headers = { 'upload-expires': expiryOf(upload), 'upload-metadata': metadata }
      return new Response(null, { headers: { ...stateOf(offset, length), ...headers } })
    }
    // The client may not have received the response to its last piece.
    const size = await inTurn(member, () => rows.sizeOf(member, id))
    if (size === null) throw REFUSALS.uploadNotFound()
    return new Response(null, { headers: stateOf(size, size) })
  }

  const receive = (request: Request, id: string, context: ResumableContext) =>
    receiveUpload(request, async (chunks, bytes) => {
      const member = await context.readMember()
      if (request.headers.get('content-type') !== BODY_TYPE) throw REFUSALS.invalidType()
      const offset = readBytes(request.headers, 'upload-offset')
      if (uploads.find(member.member, id) === null) throw REFUSALS.uploadNotFound()
      return uploads.inTurn(id, async (signal) => {
        const upload = uploads.find(member.member, id)
        if (upload === null) throw REFUSALS.uploadNotFound()
        if (offset !== upload.offset) throw REFUSALS.wrongOffset()
        if (bytes > upload.length - offset) throw REFUSALS.tooLarge()
        const end = await uploads.append(upload, untilAborted(chunks, signal))
        const headers = { 'upload-offset': String(end), 'upload-expires': expiryOf(upload) }
        if (end === upload.length) await complete(member, upload, context)
        return new Response(null, { status: 204, headers })
      })
    })

  const terminate = async (id: string, { readMember }: ResumableContext) => {
    const member = await readMember()
    if (uploads.find(member.member, id) === null) throw REFUSALS.uploadNotFound()
    await uploads.inTurn(id, async () => {
      const upload = uploads.find(member.member, id)
      if (upload === null) throw REFUSALS.uploadNotFound()
      await uploads.close(upload)
    })
    return new Response(null, { status: 204 })
  }

  const respond = async (request: Request, id: string | null, context: ResumableContext) => {
    const { headers } = request
    const method = (request.method === 'POST' && headers.get('x-http-method-override')) || request.method
    if (method === 'OPTIONS') return describeServer()
    if (headers.get('tus-resumable') !== VERSION) throw REFUSALS.otherVersion()
    if (id === null && method === 'POST') return create(request, context)
    if (id !== null && method === 'HEAD') return readState(id, context)
    if (id !== null && method === 'PATCH') return receive(request, id, context)
    if (id !== null && method === 'DELETE') return terminate(id, context)
    throw REFUSALS.notServed()
  }

  return async (request, id, context) => {
    let response: Response
    try {
      response = await respond(request, id, context)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      // Clients of tus read the status only.
      response = error.response(Number(error.statusCode))
      if (response.status === 412) response.headers.set('tus-version', VERSION)
    }
    response.headers.set('tus-resumable', VERSION)
    return response
  }
}

function describeServer(): Response {
  const headers = {
    'tus-version': VERSION,
    'tus-extension': EXTENSIONS,
    'tus-max-size': String(OBJECT_BYTES_MAX),
  }
  return new Response(null, { status: 204, headers })
}

/** Whether completing the upload again would fail again, or may have succeeded. */
function isFinal(error: unknown): boolean {
  if (error instanceof DatabaseEndedError) return true
  if (!(error instanceof StorageError)) return false
  const status = Number(error.statusCode)
  return status < 500 && status !== 429
}

function stateOf(offset: number, length: number) {
  return { 'upload-offset': String(offset), 'upload-length': String(length) }
}

function expiryOf({ expiresAt }: OpenUpload): string {
  return new Date(expiresAt).toUTCString()
}

/** A number of bytes in a header. Throws a StorageError if it is none. */
function readBytes(headers: Headers, name: string): number {
  const text = headers.get(name) ?? ''
  if (!/^\d{1,15}$/.test(text)) throw REFUSALS.invalidRequest()
  return Number(text)
}

/** The key in an Upload-Metadata header with Supabase Storage's fields. Throws a StorageError. */
function readKey(metadata: string): ObjectKey {
  if (metadata.length > METADATA_MAX) throw REFUSALS.invalidRequest()
  const fields = new Map<string, string>()
  for (const pair of metadata.split(',')) {
    const [, name, value = ''] = /^ *([!-+\--~]+)(?: ([A-Za-z0-9+/]*={0,2}))? *$/.exec(pair) ?? []
    if (name === undefined || fields.has(name)) throw REFUSALS.invalidRequest()
    fields.set(name, Buffer.from(value, 'base64').toString())
  }
  const key = parseObjectKey(fields.get('objectName') ?? '')
  if (key === null || fields.get('bucketName') !== BUCKET) throw REFUSALS.invalidRequest()
  if (fields.get('contentType') !== key.mimetype) throw REFUSALS.invalidType()
  return key
}

/** The chunks, until a later request continues the upload: then throws a StorageError. */
function untilAborted(chunks: Chunks, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const next = () =>
    // A race with one promise for all chunks would keep all of them in memory.
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      const refuse = () => reject(REFUSALS.continued())
      if (signal.aborted) return refuse()
      signal.addEventListener('abort', refuse)
      const stop = () => signal.removeEventListener('abort', refuse)
      chunks.next().finally(stop).then(resolve, reject)
    })
  return { [Symbol.asyncIterator]: () => ({ next }) }
}
