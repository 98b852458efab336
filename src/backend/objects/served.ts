import { BUCKET, type ObjectKey, parseObjectKey } from './object-key'

/** Where resumable uploads are created. Each has an address below it, with its id; resumable-handler.ts serves them. */
export const RESUMABLE_ROOT = '/storage/v1/upload/resumable'

/** The id of a resumable upload; '' for the address that creates one; null for any other path. */
export function readResumablePath(pathname: string): string | null {
  if (pathname === RESUMABLE_ROOT) return ''
  const id = pathname.startsWith(`${RESUMABLE_ROOT}/`) ? pathname.slice(RESUMABLE_ROOT.length + 1) : ''
  return UUID.test(id) ? id : null
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The calls of supabase-js that are served. docs/security.md explains them; everything else is answered with 404. */
export type ObjectCall =
  | { name: 'upload' | 'sign' | 'link' | 'download'; key: ObjectKey }
  | { name: 'signMany' | 'remove' | 'list' }

export interface ServedCall {
  name: ObjectCall['name']
  methods: readonly string[]
  /** The path below /storage/v1/object/; `*` stands for a key. */
  paths: readonly string[]
}

export const SERVED_CALLS: readonly ServedCall[] = [
  { name: 'upload', methods: ['POST'], paths: [`${BUCKET}/*`] },
  { name: 'sign', methods: ['POST'], paths: [`sign/${BUCKET}/*`] },
  { name: 'signMany', methods: ['POST'], paths: [`sign/${BUCKET}`] },
  { name: 'link', methods: ['GET', 'HEAD'], paths: [`sign/${BUCKET}/*`] },
  { name: 'download', methods: ['GET', 'HEAD'], paths: [`${BUCKET}/*`, `authenticated/${BUCKET}/*`] },
  { name: 'remove', methods: ['DELETE'], paths: [BUCKET] },
  { name: 'list', methods: ['POST'], paths: [`list/${BUCKET}`] },
]

const ROOT = '/storage/v1/object/'

/** The call of a request; null if it is not served. */
export function readObjectCall(method: string, pathname: string): ObjectCall | null {
  if (!pathname.startsWith(ROOT)) return null
  const path = pathname.slice(ROOT.length)
  for (const { name, methods, paths } of SERVED_CALLS) {
    if (!methods.includes(method)) continue
    for (const pattern of paths) {
      const call = matchCall(name, pattern, path)
      if (call !== null) return call
    }
  }
  return null
}

function matchCall(name: ObjectCall['name'], pattern: string, path: string): ObjectCall | null {
  if (name === 'signMany' || name === 'remove' || name === 'list') return path === pattern ? { name } : null
  const folder = pattern.slice(0, -1)
  const key = path.startsWith(folder) ? parseObjectKey(path.slice(folder.length)) : null
  return key && { name, key }
}
