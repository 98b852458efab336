import { BUCKET, type ObjectKey, parseObjectKey } from './object-key'

/** The calls of supabase-js that are served. docs/security.md explains them; everything else is answered with 404. */
export type ObjectCall =
  | { name: 'upload' | 'sign' | 'link' | 'download'; key: ObjectKey }
  | { name: 'signMany' | 'remove' | 'list' }

/** Calls on one object, with their methods and the path before its key. */
const ON_KEYS = [
  ['upload', 'POST', `${BUCKET}/`],
  ['sign', 'POST', `sign/${BUCKET}/`],
  ['link', 'GET HEAD', `sign/${BUCKET}/`],
  ['download', 'GET HEAD', `${BUCKET}/`],
  ['download', 'GET HEAD', `authenticated/${BUCKET}/`],
] as const

const ON_BUCKET = new Map<string, 'signMany' | 'remove' | 'list'>([
  [`POST sign/${BUCKET}`, 'signMany'],
  [`DELETE ${BUCKET}`, 'remove'],
  [`POST list/${BUCKET}`, 'list'],
])

const ROOT = '/storage/v1/object/'

/** The call of a request; null if it is not served. */
export function readObjectCall(method: string, pathname: string): ObjectCall | null {
  if (!pathname.startsWith(ROOT)) return null
  const path = pathname.slice(ROOT.length)
  const onBucket = ON_BUCKET.get(`${method} ${path}`)
  if (onBucket !== undefined) return { name: onBucket }
  for (const [name, methods, folder] of ON_KEYS) {
    const key = path.startsWith(folder) ? parseObjectKey(path.slice(folder.length)) : null
    if (key !== null && methods.split(' ').includes(method)) return { name, key }
  }
  return null
}
