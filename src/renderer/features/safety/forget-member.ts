import type { QueryClient } from '@tanstack/react-query'

export interface SafetyMember {
  id: string
  username: string
}

/** Prefixes of the query keys with members or their content. Conversations are not included: they stay, closed. */
const QUERY_KEYS = [
  'feed',
  'post',
  'grid',
  'comments',
  'people',
  'profile',
  'search',
  'notifications',
  'stories',
  'story',
  'story viewers',
]

/** Cursors: these name a row without showing it. */
const CURSORS = new Set(['next', 'pageParams'])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a row is this member or belongs to them: a column contains their id, or its author has their username. */
function isTheirs(value: unknown, { id, username }: SafetyMember): boolean {
  if (!isRecord(value)) return false
  return Object.values(value).some(
    (field) => field === id || (isRecord(field) && username !== '' && field.username === username),
  )
}

/** The data without the member's rows; null if it was only about them. */
export function withoutMember(data: unknown, member: SafetyMember): unknown {
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

/** Removes a member and their content from the screen and the cache. Returns an undo function. */
export async function forgetMember(client: QueryClient, member: SafetyMember): Promise<() => void> {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    QUERY_KEYS.some((name) => name === queryKey[0])
  // Requests in flight may still return their content.
  await client.cancelQueries({ predicate })
  const before = client.getQueriesData({ predicate })
  client.setQueriesData({ predicate }, (data: unknown) =>
    data === undefined ? undefined : withoutMember(data, member),
  )
  return () => {
    for (const [key, data] of before) if (data !== undefined) client.setQueryData(key, data)
  }
}
