import { type Query, type QueryClient, replaceEqualDeep } from '@tanstack/react-query'
import { forgetObjects } from '#/renderer/lib/media-store/kept-objects'
import { rewriteDiskCache } from './persist'

export interface MemberName {
  id: string
  username: string
}

/** Fields with pagination cursors, which contain the id of a row but not its content. */
const CURSORS: ReadonlySet<string> = new Set(['next', 'pageParams'])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Whether a row is this member or belongs to them: a column contains their id, or its author has their username. */
function isTheirs(value: unknown, { id, username }: MemberName): boolean {
  if (!isRecord(value)) return false
  return Object.values(value).some(
    (field) => field === id || (isRecord(field) && username !== '' && field.username === username),
  )
}

/** The data without the member's rows; null if it was only about them. */
export function withoutMember(data: unknown, member: MemberName): unknown {
  if (isTheirs(data, member)) return null
  if (Array.isArray(data)) {
    return data.filter((item) => !isTheirs(item, member)).map((item) => withoutMember(item, member))
  }
  if (!isRecord(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      CURSORS.has(key) || value === null ? value : withoutMember(value, member),
    ]),
  )
}

/** A blocked member stays in conversations, which are closed. */
function isForBlocked({ meta }: Query): boolean {
  return meta?.keepsBlocked !== true
}

/**
 * Removes a member and their content from the queries that match, by default all that a block removes them from, in memory and on
 * disk. Returns an undo function.
 */
export async function forgetMember(
  client: QueryClient,
  member: MemberName,
  matches: (query: Query) => boolean = isForBlocked,
): Promise<() => void> {
  // Requests in flight may still return their content.
  await client.cancelQueries({ predicate: matches })
  const changed = client
    .getQueryCache()
    .findAll({ predicate: matches })
    .flatMap(({ queryKey, state }) => {
      const before = state.data
      const after = replaceEqualDeep(before, withoutMember(before, member))
      return after === before ? [] : [{ queryKey, before, after }]
    })
  for (const { queryKey, after } of changed) client.setQueryData(queryKey, after)
  // Objects are in the folder of the member who uploaded them.
  forgetObjects(client, (path) => path.startsWith(`${member.id}/`))
  await rewriteDiskCache(client, member.id)
  return () => {
    for (const { queryKey, before } of changed) client.setQueryData(queryKey, before)
  }
}
