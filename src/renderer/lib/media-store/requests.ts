import { AppError, toAppError } from '#/renderer/lib/core/errors'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { isObject } from '#/renderer/lib/server/checks/checked-values'
import { clientFetch, storageRequest } from '#/renderer/lib/server/supabase'

// The client of supabase-js for Storage is not in the build (lib/unused-services.ts): these few requests are all the app sends.

export const BUCKET = 'media'

/** How long a link is valid, in seconds. Servers may end it earlier. */
const LINK_SECONDS = 3_600

/** Storage's error in the body of a response; `statusCode` may differ from the response's own status. */
interface StorageProblem {
  statusCode?: unknown
  error?: unknown
  message?: unknown
}

const NOT_SIGNED_IN = /jwt|"exp"|token/i

/** The error of a response of Storage. */
export function storageError(status: number, body: string): AppError {
  const problem = problemOf(body)
  const code = Number(problem.statusCode ?? status)
  const message = typeof problem.message === 'string' ? problem.message : ''
  // Hosted projects answer 400 to an expired token.
  if (status < 500 && [400, 401, 403].includes(code) && NOT_SIGNED_IN.test(message))
    return new AppError('session-expired', '', `storage ${code}`)
  if (code === 409) return new AppError('conflict', '', 'storage 409')
  if (code === 413) return new AppError('too-large', '', 'storage 413', { status: code })
  return toAppError({ name: 'storage', message }, code)
}

function problemOf(body: string): StorageProblem {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

async function send(method: 'POST' | 'DELETE', path: string, content: unknown): Promise<unknown> {
  const { url, headers } = await storageRequest(path)
  try {
    const response = await clientFetch(url, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(content),
    })
    if (!response.ok) throw storageError(response.status, await response.text())
    return await response.json()
  } catch (cause) {
    throw toAppError(cause)
  }
}

/** The objects in a response that lists some. */
function listOf(response: unknown): Record<string, unknown>[] {
  return Array.isArray(response) ? response.filter(isObject) : []
}

/** A link to an object. */
export interface SignedLink {
  url: string
  /** Whether the app's own server has checked what the object contains. Any other may say so of what freezes the app. */
  isChecked: boolean
}

/** Characters of a link, whose token is parsed. Those of servers have some five hundred. */
const LINK_CHARACTERS_MAX = 4_096

/** Links to the objects with these paths; objects that the member may not see are omitted. Throws an `AppError`. */
export async function signPaths(paths: string[]): Promise<Map<string, SignedLink>> {
  const signed = await send('POST', `/object/sign/${BUCKET}`, { expiresIn: LINK_SECONDS, paths })
  const { url: base } = await storageRequest('')
  const isOwn = useServerInfo.getState().server?.kind === 'embedded'
  return new Map(
    listOf(signed).flatMap(({ path, signedURL, checked }) =>
      typeof path === 'string' && typeof signedURL === 'string' && signedURL.length <= LINK_CHARACTERS_MAX
        ? [[path, { url: `${base}${signedURL}`, isChecked: isOwn && checked === true }]]
        : [],
    ),
  )
}

/** The response to a link, whose body is not read yet. Throws an `AppError`, or the signal's reason. */
export async function openLink(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await clientFetch(url, init)
    if (response.ok) return response
    throw storageError(response.status, await response.text())
  } catch (cause) {
    init.signal?.throwIfAborted()
    throw toAppError(cause)
  }
}

/** Deletes the objects with these paths that belong to the member and that no row refers to. Throws an `AppError`. */
export async function removeObjects(paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await send('DELETE', `/object/${BUCKET}`, { prefixes: paths })
}

/** Paths of the first objects in a member's folder. Throws an `AppError`. */
export async function listObjects(me: string, limit: number): Promise<string[]> {
  const found = await send('POST', `/object/list/${BUCKET}`, {
    prefix: me,
    limit,
    offset: 0,
    sortBy: { column: 'name', order: 'asc' },
  })
  return listOf(found).flatMap(({ name }) => (typeof name === 'string' ? [`${me}/${name}`] : []))
}
