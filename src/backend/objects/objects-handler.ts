import * as z from 'zod'
import { type Caller, waitingOf } from '#/backend/access/caller'
import { TokenError, type Tokens } from '#/backend/access/tokens'
import { createQueue, type Exclusive } from '#/backend/base/queue'
import { BodyTooLargeError, readBody } from '#/backend/base/read-body'
import { hasMoreValues } from '#/shared/json-values'
import type { checkContent } from './check-content'
import { fileResponse } from './file-response'
import type { LinkReader, LinkTokens } from './link-tokens'
import type { ObjectFiles } from './object-files'
import { BUCKET, isObjectKey, type ObjectKey } from './object-key'
import type { ObjectRow, ObjectRows } from './object-rows'
import { readObjectCall } from './served'
import { REFUSALS } from './storage-error'
import { storeUpload } from './store-upload'

/** A list of a thousand keys fits. */
const JSON_MAX = 128 * 1024
const NAMES_MAX = 1_000

/** Before a larger upload is read, the database is asked whether the member has room for it. */
const LARGE_UPLOAD_BYTES = 1_000_000

export interface ObjectsHandlerOptions {
  rows: ObjectRows
  files: ObjectFiles
  links: LinkTokens
  tokens: Tokens
  exclusive: Exclusive
  /** Takes up to 8 MB, and a tenth of a second of the thread that answers everybody. */
  check: typeof checkContent
  isLiveSession: (session: string) => Promise<boolean>
  /** When copies of the database were taken, which still refer to deleted objects; in ms since 1970. */
  copyTimes: () => Promise<readonly number[]>
  /** Called after each write. */
  onWrite: () => void
}

/** Responds like Supabase Storage to the calls of served.ts. Throws a StorageError, or the database's error. */
export type ObjectsHandler = (request: Request, url: URL, caller: Caller) => Promise<Response>

const signSchema = z.strictObject({ expiresIn: z.number().int().min(1).max(31_536_000) })
const signManySchema = signSchema.extend({ paths: z.array(z.string()).max(NAMES_MAX) })
const removeSchema = z.strictObject({ prefixes: z.array(z.string()).min(1).max(NAMES_MAX) })
const listSchema = z.strictObject({
  prefix: z.string(),
  limit: z.number().int().min(1).max(1_000),
  offset: z.number().int().min(0).max(100_000),
  sortBy: z.strictObject({
    column: z.enum(['name', 'created_at', 'updated_at']),
    order: z.enum(['asc', 'desc']),
  }),
})

export function createObjectsHandler(options: ObjectsHandlerOptions): ObjectsHandler {
  const { rows, files, links, tokens, exclusive, isLiveSession, check, copyTimes, onWrite } = options
  const checks = createQueue()

  return async (request, url, caller) => {
    const call = readObjectCall(request.method, url.pathname)
    if (call === null) throw REFUSALS.notServed()

    /** Runs a query in the member's turn; signed links have no access token, so the caller may be unknown. */
    const inTurn = <T>({ member }: LinkReader, work: () => Promise<T>) =>
      exclusive(work, waitingOf({ ...caller, member }))
    const serve = async (reader: LinkReader, key: ObjectKey): Promise<Response> => {
      const [row] = await inTurn(reader, () => rows.visible(reader, [key.name]))
      const file = row === undefined ? null : await files.find(row.id)
      if (row === undefined || file === null) throw REFUSALS.objectNotFound()
      return fileResponse(request, { ...file, key, etag: row.etag })
    }

    if (call.name === 'link') {
      const reader = links.verify(url.searchParams.get('token') ?? '', `${BUCKET}/${call.key.name}`)
      if (reader === null || !(await isLiveSession(reader.session))) throw REFUSALS.invalidLink()
      return serve(reader, call.key)
    }

    if (call.name === 'upload') {
      const { key } = call
      const id = await storeUpload(files, request, key, async (bytes) => {
        if (request.headers.get('x-upsert') === 'true') throw REFUSALS.notServed()
        const member = await readMember(tokens, request)
        if (key.owner !== member.member) throw REFUSALS.forbidden()
        if (bytes > LARGE_UPLOAD_BYTES) await inTurn(member, () => rows.checkRoom(member, key.name, bytes))
        return {
          check: (file, of) => checks(() => check(file, of), waitingOf({ ...caller, ...member })),
          insertRow: (object) => inTurn(member, () => rows.insert(member, object)),
        }
      })
      onWrite()
      return Response.json({ Key: `${BUCKET}/${key.name}`, Id: id })
    }

    const member = await readMember(tokens, request)
    const linkTo = (name: string, expiresIn: number) => {
      const token = links.sign(member, `${BUCKET}/${name}`, expiresIn)
      return `/object/sign/${BUCKET}/${name}?token=${token}`
    }
    switch (call.name) {
      case 'download':
        return serve(member, call.key)
      case 'sign': {
        const { expiresIn } = await readJson(request, caller, signSchema)
        const { name } = call.key
        const [row] = await inTurn(member, () => rows.visible(member, [name]))
        if (row === undefined) throw REFUSALS.objectNotFound()
        return Response.json({ signedURL: linkTo(name, expiresIn), ...checkedOf(row) })
      }
      case 'signMany': {
        const { paths, expiresIn } = await readJson(request, caller, signManySchema)
        const visible = await inTurn(member, () => rows.visible(member, paths.filter(isObjectKey)))
        const found = new Map(visible.map((row) => [row.name, row]))
        return Response.json(
          paths.map((path) => {
            const row = found.get(path)
            if (row !== undefined)
              return { error: null, path, signedURL: linkTo(path, expiresIn), ...checkedOf(row) }
            const error = 'Either the object does not exist or you do not have access to it'
            return { error, path, signedURL: null }
          }),
        )
      }
      case 'remove': {
        const { prefixes } = await readJson(request, caller, removeSchema)
        const removed = await inTurn(member, () => rows.remove(member, prefixes.filter(isObjectKey)))
        onWrite()
        const heldAt = await copyTimes()
        for (const { id } of removed) await files.remove(String(id), heldAt)
        return Response.json(removed)
      }
      case 'list': {
        const { prefix, limit, offset, sortBy } = await readJson(request, caller, listSchema)
        if (prefix.replace(/\/$/, '') !== member.member) return Response.json([])
        return Response.json(await inTurn(member, () => rows.list(member, { limit, offset, ...sortBy })))
      }
    }
  }
}

/** Besides a signed link: that a reader need not check the content. Hosted projects never say so. */
function checkedOf({ checked }: ObjectRow): { checked?: true } {
  return checked ? { checked } : {}
}

/** The member of a request. Visitors can do nothing here. Throws a StorageError. */
async function readMember(tokens: Tokens, request: Request): Promise<LinkReader> {
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const claims = await tokens.verify(token).catch((error: unknown) => {
    if (error instanceof TokenError) throw REFUSALS.invalidToken()
    throw error
  })
  const { role, sub, session_id } = claims
  if (role !== 'authenticated' || sub === undefined || session_id === undefined) throw REFUSALS.invalidToken()
  return { member: sub, session: session_id }
}

/** Values of a call besides its names. */
const OTHER_VALUES = 20

async function readJson<T>(request: Request, { parseInTurn }: Caller, schema: z.ZodType<T>): Promise<T> {
  try {
    const body = (await readBody(request, JSON_MAX)) ?? new Uint8Array()
    return await parseInTurn(() => {
      // Zod names all keys that it does not know.
      if (hasMoreValues(body, NAMES_MAX + OTHER_VALUES)) throw REFUSALS.invalidRequest()
      return schema.parse(JSON.parse(new TextDecoder().decode(body)))
    })
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw REFUSALS.tooLarge()
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw REFUSALS.invalidRequest()
    throw error
  }
}
